/** The facts in short, as sentences that each lead to their fact. It is drawn while the reader has it open. */

import { el } from '../page/element.js';
import { capitalize, formatFact } from '../text/facts.js';
import { createFold } from './parts.js';

const MOST_WORDS = 200;
const CATEGORIES = ['identity', 'constraint', 'preference', 'instruction'];
const ENDS = /[.!?…。！？؟]$/u;

/** `reveal(factId)` opens the row of a fact. */
export function createProfile(reveal) {
  const text = el('p', { dir: 'auto' });
  const fold = createFold('profile', text);
  let sentences = [];
  fold.addEventListener('toggle', draw);

  function draw() {
    const drawn = fold.open ? sentences.flatMap((sentence) => [drawSentence(sentence, reveal), ' ']) : [];
    text.replaceChildren(...drawn);
  }

  return {
    element: fold,
    show(facts) {
      const chosen = chooseSentences(facts);
      const isSame = JSON.stringify(chosen) === JSON.stringify(sentences);
      fold.hidden = !chosen.length;
      sentences = chosen;
      if (!isSame) draw(); // a click is lost if the element under it is replaced
    },
  };
}

/** [{id, text}], the most important facts first, by category: at most 200 words. */
export function chooseSentences(facts) {
  const chosen = [];
  let words = 0;
  for (const fact of [...facts].sort((a, b) => b.importance - a.importance)) {
    const sentence = capitalize(formatFact(fact));
    words += sentence.split(/\s+/u).length;
    if (words > MOST_WORDS) break;
    chosen.push({ id: fact.fact_id, text: ENDS.test(sentence) ? sentence : `${sentence}.`, category: fact.category });
  }
  return CATEGORIES.flatMap((category) => chosen.filter((sentence) => sentence.category === category));
}

function drawSentence({ id, text }, reveal) {
  return el('a', { class: 'place', href: `#fact-${id}`, onclick: (event) => {
    event.preventDefault();
    reveal(id);
  } }, text);
}
