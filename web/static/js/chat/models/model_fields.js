/** Fields of a model that have good defaults: what it is called here, what it does, and its limits. */

import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';

const SWITCHES = ['offered', 'chat_default', 'memory_default'];
const TRUSTS = ['', 'examined', 'always', 'never'];
const NUMBERS = ['context_tokens', 'max_tokens'];

export class ModelFields {
  elements;
  #fields = {};

  constructor() {
    const input = (name, attributes) => this.#create(name, attributes);
    this.elements = [
      labelled('models.name', input('name', { maxlength: '80', required: true, dir: 'auto' }), el('p', { class: 'about' }, t('models.name.about'))),
      el('fieldset', { class: 'modes' }, el('legend', {}, t('models.uses')),
        ...SWITCHES.map((name) => switched(name, input(name, { type: 'checkbox', class: null }))),
        labelled('models.trust', this.#createTrust())),
      ...NUMBERS.map((name) => labelled(`models.${name}`, input(name, { type: 'number', min: '1', max: '10000000' }))),
    ];
  }

  /** `model` is the API's, or what a new one begins with. The name of one that is set up stays. */
  show(model) {
    this.#fields.name.value = model.name;
    this.#fields.name.disabled = 'model_id' in model;
    for (const name of SWITCHES) this.#fields[name].checked = Boolean(model[name]);
    for (const name of NUMBERS) this.#fields[name].value = model[name] ?? '';
    this.#fields.trust.value = model.trust ?? '';
  }

  /** As the API takes them, without the name. */
  read() {
    const switches = SWITCHES.map((name) => [name, this.#fields[name].checked]);
    const numbers = NUMBERS.map((name) => [name, Number(this.#fields[name].value) || null]);
    return { ...Object.fromEntries([...switches, ...numbers]), trust: this.#fields.trust.value || null };
  }

  get name() {
    return this.#fields.name.value.trim();
  }

  #create(name, attributes) {
    this.#fields[name] = el('input', { class: 'field-text', name, ...attributes });
    return this.#fields[name];
  }

  #createTrust() {
    const options = TRUSTS.map((trust) => el('option', { value: trust }, t(`models.trust.${trust || 'default'}`)));
    this.#fields.trust = el('select', { class: 'field-text', name: 'trust' }, ...options);
    return this.#fields.trust;
  }
}

export function labelled(key, field, hint = null) {
  if (hint) {
    hint.id = `${field.name}-hint`;
    field.setAttribute('aria-describedby', hint.id);
  }
  return el('div', {}, el('label', { class: 'stacked' }, el('span', {}, t(key)), field), hint);
}

function switched(name, box) {
  return el('label', { class: 'mode' }, box,
    el('span', {}, el('strong', {}, t(`models.${name}`)), ` ${t(`models.${name}.about`)}`));
}
