/**
 * Diagrams are drawn by Mermaid in a frame apart from the page: Mermaid makes markup from strings,
 * which the page's Content Security Policy forbids. Each diagram has a frame of its own, so that no
 * diagram can change another one, and one that takes too long is removed with its frame.
 */

import { el } from '../../../page/element.js';

const FRAME = '/diagrams/frame';
const PATIENCE_MS = 20_000; // a slow phone needs some seconds for Mermaid alone
const MAX_SVG_CHARS = 2_000_000;
const MAX_PX = 20_000;
const MAX_WORDS_CHARS = 300;
const PROBLEMS = ['slow', 'unreachable'];

let last = Promise.resolve(); // one at a time

/**
 * `scheme` is `light` or `dark`. `isWanted()` tells, when its turn has come, whether it is to be drawn
 * still. Resolves to `{svg, width, height, words}`, to `{problem}`: `mistake`, `too_large`, `slow` or
 * `unreachable`, or to null if it was not wanted any more.
 */
export function draw(text, scheme, isWanted = () => true) {
  const drawn = last.then(() => (isWanted() ? drawInFrame({ text, scheme }) : null));
  last = drawn.catch(() => {});
  return drawn;
}

async function drawInFrame(diagram) {
  const { port1: port, port2: portOfFrame } = new MessageChannel();
  const frame = el('iframe', {
    class: 'diagram-frame', sandbox: 'allow-scripts', src: FRAME, tabindex: '-1', 'aria-hidden': 'true',
  });
  // The frame has no origin that could be named as the receiver's. Its answer comes by the port
  // alone, which nobody else has.
  const send = () => frame.contentWindow.postMessage(diagram, '*', [portOfFrame]);
  frame.addEventListener('load', send, { once: true });
  document.body.append(frame);
  const answer = await Promise.race([answerOf(port), timeUp()]);
  frame.remove();
  port.close();
  return checked(answer);
}

function answerOf(port) {
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(data);
  });
}

function timeUp() {
  return new Promise((resolve) => {
    setTimeout(() => resolve({ problem: 'slow' }), PATIENCE_MS);
  });
}

/** What comes from the frame was made by what a model wrote, and is trusted in nothing. */
function checked(answer) {
  const { problem, svg, width, height, words } = Object(answer);
  if (problem) return { problem: PROBLEMS.includes(problem) ? problem : 'mistake' };
  if (typeof svg !== 'string' || typeof words !== 'string') return { problem: 'mistake' };
  if (![width, height].every((px) => Number.isFinite(px) && px > 0)) return { problem: 'mistake' };
  if (svg.length > MAX_SVG_CHARS || width > MAX_PX || height > MAX_PX) return { problem: 'too_large' };
  return { svg, width, height, words: words.slice(0, MAX_WORDS_CHARS) };
}
