/** What another assistant remembers: its list is pasted, looked at, and kept as far as it is ticked. */

import { keepFacts, previewMemoryList } from '../api/memory.js';
import { runAction } from '../page/action.js';
import { copyButton } from '../page/copy_button.js';
import { byId, el } from '../page/element.js';
import { capitalize, formatFact } from '../text/facts.js';
import { t, tCount } from '../text/texts.js';

const CHOICES = ['new', 'replaces', 'deleted'];

/** `onKept()` is called when there are new facts. */
export function prepareMemoryList(onKept) {
  const form = byId('memory-list');
  const place = byId('memory-list-found');
  const question = byId('memory-list-question');
  const { textContent } = question;
  question.append(' ', copyButton(() => textContent, t('memory_list.copy')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(form, async () => {
      const preview = await previewMemoryList(form.elements.text.value);
      place.replaceChildren(...drawPreview(preview, keep));
    });
  });

  async function keep(facts) {
    const { new_count: count } = await keepFacts(facts);
    form.reset();
    place.replaceChildren(el('p', {}, tCount('memory_list.kept', count)));
    onKept();
  }
}

/** Nodes for the API's preview. `keep(facts)` is called with those that are ticked. */
export function drawPreview({ entries, further_count: further, left_out: leftOut }, keep) {
  const offered = entries.filter(({ state }) => CHOICES.includes(state));
  const others = entries.filter(({ state }) => !CHOICES.includes(state));
  const notOffered = [
    ...others.map(({ text, state }) => ({ text, reason: t(`memory_list.reason.${state}`) })),
    ...leftOut.map((text) => ({ text, reason: t('memory_list.reason.left_out') })),
  ];
  return [
    offered.length ? drawChoices(offered, keep) : el('p', {}, t('memory_list.none')),
    further > 0 && el('p', {}, tCount('memory_list.further', further)),
    notOffered.length > 0 && drawNotOffered(notOffered),
  ].filter(Boolean);
}

function drawChoices(entries, keep) {
  const boxes = entries.map(({ state }) => el('input', { type: 'checkbox', checked: state === 'new' }));
  const rows = entries.map((entry, index) => drawChoice(entry, boxes[index]));
  const form = el('form', {},
    el('fieldset', { class: 'modes' }, el('legend', {}, t('memory_list.choose')), ...rows),
    el('button', { type: 'submit', class: 'action is-main' }, t('memory_list.keep')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const ticked = entries.filter((_, index) => boxes[index].checked);
    const facts = ticked.map(({ category, key, value }) => ({ category, key, value }));
    if (facts.length) runAction(form, () => keep(facts));
  });
  return form;
}

function drawChoice(entry, box) {
  const note = noteOf(entry);
  return el('label', { class: 'mode' }, box,
    el('span', { dir: 'auto' }, capitalize(formatFact(entry)), note && el('span', { class: 'about' }, ` ${note}`)));
}

function noteOf({ state, replaces }) {
  if (state === 'replaces') return t('memory_list.replaces', { value: replaces });
  return state === 'deleted' ? t('memory_list.deleted') : null;
}

function drawNotOffered(lines) {
  const rows = lines.map((line) => el('li', { dir: 'auto' }, t('memory_list.line', line)));
  return el('details', {}, el('summary', {}, tCount('memory_list.not_offered', lines.length)), el('ul', {}, ...rows));
}
