/** A strip with a cell for each message, which tells how the model comes to know of it. */

import { el } from '../page/element.js';
import { t } from '../text/texts.js';
import { countStates, coverageCells } from './coverage_cells.js';
import { createSection } from './parts.js';

/** `reveal(sequence)` scrolls to a message. */
export function createCoverage({ reveal }) {
  const strip = el('div', { class: 'strip', role: 'img' });
  const legend = el('ul', { class: 'legend' });
  strip.addEventListener('click', ({ target }) => {
    if (target.dataset.first) reveal(Number(target.dataset.first));
  });
  const section = createSection('coverage', el('p', { class: 'about' }, t('coverage.about')), strip, legend);
  return {
    kind: 'summaries',
    element: section,
    show({ memory, lastSequence }) {
      const cells = coverageCells(memory, lastSequence);
      const counts = countStates(cells);
      section.hidden = !cells.length;
      strip.replaceChildren(...cells.map(drawCell));
      strip.setAttribute('aria-label', counts.map(describeCount).join(', '));
      legend.replaceChildren(...counts.map(drawLegend));
    },
  };
}

function drawCell({ first, last, state, isProcessing }) {
  const values = { first, last, number: first, state: t(`coverage.${state}`) };
  const title = t(first === last ? 'coverage.cell' : 'coverage.earlier', values);
  const cell = el('span', { class: `cell is-${state}`, title, 'data-first': first });
  cell.classList.toggle('is-processing', isProcessing);
  cell.classList.toggle('is-wide', first !== last);
  return cell;
}

function drawLegend([state, count]) {
  const swatch = el('span', { class: `cell is-${state}`, 'aria-hidden': 'true' });
  return el('li', {}, swatch, describeCount([state, count]));
}

function describeCount([state, count]) {
  return t('coverage.row', { state: t(`coverage.${state}`), count });
}
