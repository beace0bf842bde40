/** Something that a button or a form asks of the server. */

import { el } from './element.js';
import { sentence } from './errors.js';

/** Runs `work` once at a time, and says in `frame` why it failed. Resolves to whether it did not. */
export async function attempt(frame, work) {
  if (frame.ariaBusy === 'true') return false;
  frame.querySelector(':scope > .problem')?.remove();
  frame.ariaBusy = 'true';
  try {
    await work();
    return true;
  } catch (error) {
    frame.append(el('p', { class: 'problem', role: 'alert' }, sentence(error)));
    return false;
  } finally {
    frame.ariaBusy = 'false';
  }
}
