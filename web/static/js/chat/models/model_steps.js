/** Sets a model up in steps: who has it, the key or the address, which one. */

import { listProviders, listServed } from '../../api/models.js';
import { runAction } from '../../page/action.js';
import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';
import { ModelFields, labelled } from './model_fields.js';
import { describeTest, tryAndAdd } from './model_trial.js';

export class ModelSteps {
  element = el('section', { class: 'model-form', 'aria-labelledby': 'model-steps-title' });
  #heading = el('h3', { id: 'model-steps-title', tabindex: '-1' });
  #isFirst = false; // no real model answers yet
  #on;

  /** `on.added(model, result)` and `on.cancelled()`. */
  constructor(on) {
    this.#on = on;
  }

  show(isFirst) {
    this.#isFirst = isFirst;
    return this.#run(async () => this.#showProviders(await listProviders()));
  }

  #draw(title, back, ...children) {
    this.#heading.textContent = title;
    this.element.replaceChildren(this.#heading, ...children, el('div', { class: 'dialog-foot' },
      el('button', { type: 'button', class: 'action', onclick: back }, t('models.back'))));
    (this.element.querySelector('input') ?? this.#heading).focus();
  }

  #showProviders(providers) {
    const card = (provider, name = provider.name) => el('button', { type: 'button', class: 'example', onclick: () => this.#choose(provider) }, name);
    const running = providers.filter(({ models }) => models.length);
    const local = providers.filter((provider) => provider.local);
    const others = [
      [{ name: '', protocol: 'openai', address: '', prefix: '' }, t('models.preset.server')],
      [{ name: '', protocol: 'litellm', address: null, prefix: '' }, t('models.preset.provider')],
    ];
    this.#draw(t('models.who'), () => this.#on.cancelled(),
      el('h4', {}, t('models.here')),
      running.length ? cards(...running.map((provider) => card(provider)))
        : el('p', { class: 'about' }, t('models.none_here', { names: local.map(({ name }) => name).join(', ') })),
      el('h4', {}, t('models.elsewhere')),
      cards(...providers.filter((provider) => !provider.local).map((provider) => card(provider)), ...others.map((other) => card(...other))));
  }

  #choose(provider) {
    const place = { protocol: provider.protocol, address: provider.address };
    if (provider.local) this.#showModels(provider, place, provider.models);
    else this.#askPlace(provider, place);
  }

  #askPlace(provider, place) {
    const isOpen = provider.address === '';
    const address = el('input', { class: 'field-text', name: 'address', type: 'url', maxlength: '500', required: isOpen, spellcheck: 'false' });
    const key = el('input', { class: 'field-text', name: 'api_key', type: 'password', maxlength: '2000', autocomplete: 'new-password', spellcheck: 'false', required: Boolean(provider.key_page) });
    const about = el('p', { class: 'about' }, t('models.key.about'),
      provider.key_page && el('a', { href: provider.key_page, target: '_blank', rel: 'noreferrer' }, ` ${t('models.key.page')}`));
    const next = () => this.#run(async () => {
      const complete = { ...place, ...(isOpen && { address: address.value.trim() }), ...(key.value && { api_key: key.value.trim() }) };
      const names = await listServed({ ...complete, prefix: provider.prefix });
      if (names || !provider.key_page) this.#showModels(provider, complete, names ?? []);
      else form.append(el('p', { class: 'problem', role: 'alert' }, t('models.outcome.key_refused')));
    });
    const form = el('form', { autocomplete: 'off' }, isOpen ? labelled('models.address', address) : null, labelled('models.key', key, about),
      el('div', { class: 'actions' }, el('button', { class: 'action is-main' }, t('models.next'))));
    onSubmit(form, () => {
      form.querySelector('.problem')?.remove();
      next();
    });
    this.#draw(provider.name || t('models.new'), () => this.show(this.#isFirst), form);
  }

  #showModels(provider, place, names) {
    const fields = new ModelFields();
    fields.show({ name: '', offered: true, chat_default: this.#isFirst, memory_default: this.#isFirst });
    const result = el('div', { class: 'model-test', role: 'status' });
    const input = el('input', { class: 'field-text', name: 'served_name', maxlength: '200', required: true, spellcheck: 'false', dir: 'auto' });
    const list = el('div', { class: 'examples model-names' });
    const use = (name) => this.#run(async () => {
      result.replaceChildren(el('p', {}, t('models.testing')));
      const more = { ...fields.read(), name: fields.name || shorten(name) };
      const trial = await tryAndAdd({ ...place, served_name: name }, more);
      if (trial.model) this.#on.added(trial.model, trial.result);
      else result.replaceChildren(describeTest(trial.result, use));
    }, () => result.replaceChildren());
    const filter = () => {
      const part = input.value.toLowerCase();
      list.replaceChildren(...names.filter((name) => name.toLowerCase().includes(part)).map((name) => el('button', {
        type: 'button', class: 'example', dir: 'auto', onclick: () => use(name),
      }, name)));
    };
    input.addEventListener('input', filter);
    const form = el('form', { autocomplete: 'off' }, labelled('models.which', input),
      names.length ? list : el('p', { class: 'about' }, t('models.not_listed')), result,
      el('details', { class: 'model-limits' }, el('summary', {}, t('models.more')), ...fields.elements),
      el('div', { class: 'actions' }, el('button', { class: 'action is-main' }, t('models.use'))));
    form.querySelector('[name=name]').required = false;
    onSubmit(form, () => use(input.value.trim()));
    filter();
    this.#draw(provider.name || t('models.new'), () => this.show(this.#isFirst), form);
  }

  async #run(work, failed = () => {}) {
    if (!await runAction(this.element, work)) failed();
  }
}

const MAX_NAME_CHARS = 80;

function shorten(name) {
  return name.slice(0, MAX_NAME_CHARS);
}

function cards(...buttons) {
  return el('div', { class: 'examples' }, ...buttons);
}

function onSubmit(form, run) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run();
  });
}
