/** What the palette's search is limited to: a time, a speaker, the open chat, a project with its own memory. */

import { el } from '../page/element.js';
import { t } from '../text/texts.js';

const PROJECT = 'in:'; // before a project's name, as a value
const DAYS = { today: 0, week: 6, month: 29, year: 364 };

export class Filters {
  element;
  #when = select('when', ['any', ...Object.keys(DAYS), 'dates']);
  #who = select('who', ['any', 'user', 'assistant']);
  #where = select('where', ['any', 'here']);
  #from = dateField('palette.from');
  #to = dateField('palette.to');
  #dates = el('span', { class: 'palette-dates', hidden: true }, this.#from, '–', this.#to);

  /** `onChange()` is called when the reader has changed one. */
  constructor(onChange) {
    this.element = el('div', { class: 'palette-filters', role: 'group', 'aria-label': t('palette.filters') },
      this.#when, this.#dates, this.#who, this.#where);
    this.element.addEventListener('change', () => {
      this.#dates.hidden = this.#when.value !== 'dates';
      this.#mark();
      onChange();
    });
  }

  /**
   * The palette opens. Without an open chat, there is none to search in. `projects` are the names of those
   * with their own memory, which are searched by themselves; `current` is the open chat's project, or null.
   */
  open(hasChat, projects, current) {
    this.#where.options[1].hidden = !hasChat;
    this.#where.replaceChildren(...[...this.#where.options].slice(0, 2),
      ...projects.map((name) => el('option', { value: `${PROJECT}${name}` }, t('palette.where.project', { project: name }))));
    this.#where.hidden = !hasChat && projects.length === 0;
    this.#where.value = projects.includes(current) ? `${PROJECT}${current}` : 'any';
    this.#mark();
  }

  /** The API's arguments. `current` is the open chat's {id, project}. */
  read(current) {
    const { value } = this.#where;
    const project = value.startsWith(PROJECT) ? value.slice(PROJECT.length) : null;
    return {
      ...this.#readTime(),
      role: this.#who.value === 'any' ? null : this.#who.value,
      conversation_id: value === 'here' ? current.id : null,
      project: value === 'here' ? current.project : project,
    };
  }

  #readTime() {
    const { value } = this.#when;
    if (value === 'dates') return { since: startOf(this.#from.value), as_of: endOf(this.#to.value) };
    if (!(value in DAYS)) return {};
    const now = new Date();
    const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS[value]);
    return { since: first.toISOString() };
  }

  // A filter that leaves something out stands out.
  #mark() {
    for (const field of [this.#when, this.#who, this.#where]) field.classList.toggle('is-set', field.value !== 'any');
  }
}

function select(name, values) {
  const options = values.map((value) => el('option', { value }, t(`palette.${name}.${value}`)));
  return el('select', { class: 'palette-filter', 'aria-label': t(`palette.${name}`) }, ...options);
}

function dateField(label) {
  return el('input', { type: 'date', class: 'palette-filter', 'aria-label': t(label) });
}

/** The first instant of a day in the reader's time zone; null for no day. */
function startOf(day) {
  return day ? new Date(`${day}T00:00`).toISOString() : null;
}

function endOf(day) {
  return day ? new Date(`${day}T23:59:59.999`).toISOString() : null;
}
