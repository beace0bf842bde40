/** Runs the request behind a button or a form. */

import { describeError } from '../api/errors.js';
import { el } from './element.js';

/**
 * Returns a function that reads something and shows it in `frame`. Where it is called while that is
 * under way, it is read once more: what has come may be older than what the caller knows of.
 */
export function createRefresh(frame, read) {
  let isWanted = false;
  return () => {
    isWanted = true;
    return runAction(frame, async () => {
      while (isWanted) {
        isWanted = false;
        await read();
      }
    });
  };
}

/**
 * Runs `work`, unless it is running already, and shows its error in `frame`. Resolves to whether
 * it succeeded.
 */
export async function runAction(frame, work) {
  if (frame.ariaBusy === 'true') return false;
  frame.querySelector(':scope > .problem')?.remove();
  frame.ariaBusy = 'true';
  try {
    await work();
    return true;
  } catch (error) {
    frame.append(el('p', { class: 'problem', role: 'alert' }, describeError(error)));
    return false;
  } finally {
    frame.ariaBusy = 'false';
  }
}
