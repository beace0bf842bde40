/** A strip with a cell for each message: left behind, summarised, given word for word, current. */

import { el } from '../element.js';
import { t } from '../texts.js';
import { coverageCells, countStates } from './cells.js';
import { createSection } from './section.js';

/** `reveal(sequence)` brings a message into view. */
export function createCoverage({ reveal }) {
  const strip = el('div', { class: 'strip', role: 'img' });
  const legend = el('ul', { class: 'legend' });
  strip.addEventListener('click', ({ target }) => {
    if (target.dataset.first) reveal(Number(target.dataset.first));
  });
  const section = createSection('coverage', el('p', { class: 'about' }, t('coverage.about')), strip, legend);
  return {
    element: section,
    show({ memory, lastSequence }) {
      const cells = coverageCells(memory, lastSequence);
      const counts = countStates(cells);
      section.hidden = !cells.length;
      strip.replaceChildren(...cells.map(drawCell));
      strip.setAttribute('aria-label', counts.map(countText).join(', '));
      legend.replaceChildren(...counts.map(drawLegend));
    },
  };
}

function drawCell({ first, last, state, isProcessing }) {
  const values = { first, last, number: first, state: t(`coverage.${state}`) };
  const title = t(first === last ? 'coverage.cell' : 'coverage.earlier', values);
  const busy = isProcessing ? ' is-processing' : '';
  const wide = first === last ? '' : ' is-wide';
  return el('span', { class: `cell is-${state}${busy}${wide}`, title, 'data-first': first });
}

function drawLegend([state, count]) {
  const swatch = el('span', { class: `cell is-${state}`, 'aria-hidden': 'true' });
  return el('li', {}, swatch, countText([state, count]));
}

function countText([state, count]) {
  return t('coverage.row', { state: t(`coverage.${state}`), count });
}
