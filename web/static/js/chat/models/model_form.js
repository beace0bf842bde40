/** The form that sets up a model, or changes one. */

import { addModel, changeModel, listServed, testModel } from '../../api/models.js';
import { runAction } from '../../page/action.js';
import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';
import { PRESETS, presetOf } from './presets.js';

const SWITCHES = ['offered', 'chat_default', 'memory_default'];
const TRUSTS = ['', 'examined', 'always', 'never'];
const NUMBERS = ['context_tokens', 'max_tokens'];

export class ModelForm {
  element;
  #model = null; // the one that is changed; null: a new one
  #fields = {};
  #heading = el('h3', { id: 'model-form-title', tabindex: '-1' });
  #servedNames = el('datalist', { id: 'served-models' });
  #result = el('div', { class: 'model-test', role: 'status' });
  #keyHint = el('p', { class: 'about' });
  #addressRow = null;
  #on;

  /** `on.saved(model)` and `on.cancelled()`. */
  constructor(on) {
    this.#on = on;
    this.element = this.#create();
  }

  /** `model` is the API's; null for a new one. `isFirst`: no real model answers yet. */
  show(model, isFirst) {
    const empty = { name: '', has_key: false, offered: true, chat_default: isFirst, memory_default: isFirst };
    const { address, served_name: served, ...shown } = model ?? empty;
    const preset = model ? presetOf(model) : PRESETS[0];
    this.#model = model;
    this.#heading.textContent = t(model ? 'models.change' : 'models.new');
    this.#fields.preset.value = preset.id;
    this.#fields.name.value = shown.name;
    this.#fields.name.disabled = Boolean(model);
    this.#fields.api_key.value = '';
    this.#keyHint.textContent = t(shown.has_key ? 'models.key.kept' : 'models.key.about');
    for (const name of SWITCHES) this.#fields[name].checked = shown[name];
    for (const name of NUMBERS) this.#fields[name].value = shown[name] ?? '';
    this.#fields.trust.value = shown.trust ?? '';
    this.#showPlace(model ? { ...preset, address, model: served } : preset);
    this.#clearResults();
    this.#heading.focus();
  }

  #create() {
    const field = (name, attributes = {}) => {
      this.#fields[name] = el('input', { class: 'field-text', name, dir: 'auto', ...attributes });
      return this.#fields[name];
    };
    const preset = el('select', { class: 'field-text', name: 'preset' },
      ...PRESETS.map(({ id }) => el('option', { value: id }, t(`models.preset.${id}`))));
    preset.addEventListener('change', () => this.#choosePreset());
    this.#fields.preset = preset;
    this.#fields.trust = el('select', { class: 'field-text', name: 'trust' },
      ...TRUSTS.map((trust) => el('option', { value: trust }, t(`models.trust.${trust || 'default'}`))));
    this.#addressRow = labelled('models.address', field('address', { type: 'url', maxlength: '500', spellcheck: 'false' }));
    const form = el('form', { class: 'model-form', autocomplete: 'off', 'aria-labelledby': 'model-form-title' },
      this.#heading,
      labelled('models.where', preset),
      this.#addressRow,
      labelled('models.key', field('api_key', { type: 'password', maxlength: '2000', autocomplete: 'new-password', spellcheck: 'false' }), this.#keyHint),
      labelled('models.served', field('served_name', { maxlength: '200', required: true, list: 'served-models', spellcheck: 'false' })),
      this.#servedNames,
      el('div', { class: 'actions' },
        el('button', { type: 'button', class: 'action', onclick: () => this.#run(() => this.#showServed()) }, t('models.list')),
        el('button', { type: 'button', class: 'action', onclick: () => this.#run(() => this.#test()) }, t('models.test'))),
      this.#result,
      labelled('models.name', field('name', { maxlength: '80', required: true }), el('p', { class: 'about' }, t('models.name.about'))),
      el('fieldset', { class: 'modes' }, el('legend', {}, t('models.uses')),
        ...SWITCHES.map((name) => switched(name, field(name, { type: 'checkbox', class: null }))),
        labelled('models.trust', this.#fields.trust)),
      el('details', { class: 'model-limits' }, el('summary', {}, t('models.limits')),
        ...NUMBERS.map((name) => labelled(`models.${name}`, field(name, { type: 'number', min: '1', max: '10000000' })))),
      el('div', { class: 'dialog-foot' },
        el('button', { type: 'button', class: 'action', onclick: () => this.#on.cancelled() }, t('form.cancel')),
        el('button', { type: 'submit', class: 'action is-main' }, t('form.save'))));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#run(() => this.#save());
    });
    return form;
  }

  #run(work) {
    return runAction(this.element, work);
  }

  #choosePreset() {
    this.#showPlace(this.#preset);
    this.#clearResults();
  }

  #clearResults() {
    this.#servedNames.replaceChildren();
    this.#result.replaceChildren();
  }

  get #preset() {
    return PRESETS.find(({ id }) => id === this.#fields.preset.value);
  }

  #showPlace({ protocol, address, model }) {
    this.#addressRow.hidden = protocol === 'litellm';
    this.#fields.address.required = protocol === 'openai';
    this.#fields.address.value = address ?? '';
    this.#fields.served_name.value = model;
  }

  #place() {
    const { protocol } = this.#preset;
    const place = { protocol, address: protocol === 'openai' ? this.#fields.address.value.trim() : null };
    if (this.#fields.api_key.value) place.api_key = this.#fields.api_key.value.trim();
    return place;
  }

  // Without a new key the server uses the stored one.
  #placeToAsk() {
    return this.#model ? { ...this.#place(), model_id: this.#model.model_id } : this.#place();
  }

  async #showServed() {
    const names = await listServed(this.#placeToAsk());
    this.#offer(names ?? []);
    this.#result.replaceChildren(el('p', {}, t(names?.length ? 'models.listed' : 'models.not_listed', { count: names?.length ?? 0 })));
    if (names?.length) this.#fields.served_name.focus();
  }

  async #test() {
    this.#result.replaceChildren(el('p', {}, t('models.testing')));
    try {
      const result = await testModel({ ...this.#placeToAsk(), served_name: this.#fields.served_name.value });
      this.#offer(result.served ?? []);
      this.#result.replaceChildren(describeTest(result, (name) => { this.#fields.served_name.value = name; }));
    } catch (error) {
      this.#result.replaceChildren();
      throw error;
    }
  }

  #offer(names) {
    this.#servedNames.replaceChildren(...names.map((value) => el('option', { value })));
  }

  async #save() {
    const config = { ...this.#place(), served_name: this.#fields.served_name.value };
    for (const name of SWITCHES) config[name] = this.#fields[name].checked;
    for (const name of NUMBERS) config[name] = Number(this.#fields[name].value) || null;
    config.trust = this.#fields.trust.value || null;
    const model = this.#model
      ? await changeModel(this.#model.model_id, config)
      : await addModel({ ...config, name: this.#fields.name.value.trim() });
    this.#on.saved(model);
  }
}

function labelled(key, field, hint = null) {
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

const MOST_NAMES = 12;

/** The result is the API's; `choose(name)` is called with a model of the server's own list. */
function describeTest({ outcome, took_ms: tookMs, detail, served }, choose) {
  const seconds = (tookMs / 1000).toFixed(1);
  const lines = [el('p', {}, el('strong', {}, t(`models.outcome.${outcome}`, { seconds })))];
  if (detail) lines.push(el('p', { class: 'about', dir: 'auto' }, t('models.said', { words: detail })));
  if (served?.length) {
    lines.push(el('p', { class: 'about' }, t('models.served_are')));
    lines.push(el('div', { class: 'actions' }, ...served.slice(0, MOST_NAMES).map((name) => el('button', {
      type: 'button', class: 'action', onclick: () => choose(name),
    }, name))));
  }
  return el('div', { class: outcome === 'works' ? 'is-good' : 'is-bad' }, ...lines);
}
