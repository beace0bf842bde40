/** The form that changes a model. */

import { changeModel, testModel } from '../../api/models.js';
import { runAction } from '../../page/action.js';
import { el } from '../../page/element.js';
import { t } from '../../text/texts.js';
import { ModelFields, labelled } from './model_fields.js';
import { describeTest } from './model_trial.js';

export class ModelForm {
  element;
  #model; // the API's: the one that is changed
  #inputs = {};
  #fields = new ModelFields();
  #heading = el('h3', { id: 'model-form-title', tabindex: '-1' }, t('models.change'));
  #result = el('div', { class: 'model-test', role: 'status' });
  #keyHint = el('p', { class: 'about' });
  #addressRow = null;
  #on;

  /** `on.saved(model)` and `on.cancelled()`. */
  constructor(on) {
    this.#on = on;
    this.element = this.#create();
  }

  /** `model` is the API's. */
  show(model) {
    const hasAddress = model.protocol === 'openai';
    this.#model = model;
    this.#addressRow.hidden = !hasAddress;
    this.#inputs.address.required = hasAddress;
    this.#inputs.address.value = model.address ?? '';
    this.#inputs.api_key.value = '';
    this.#inputs.served_name.value = model.served_name;
    this.#keyHint.textContent = t(model.has_key ? 'models.key.kept' : 'models.key.about');
    this.#fields.show(model);
    this.#result.replaceChildren();
    this.#heading.focus();
  }

  #create() {
    const input = (name, attributes) => {
      this.#inputs[name] = el('input', { class: 'field-text', name, dir: 'auto', spellcheck: 'false', ...attributes });
      return this.#inputs[name];
    };
    this.#addressRow = labelled('models.address', input('address', { type: 'url', maxlength: '500' }));
    const form = el('form', { class: 'model-form', autocomplete: 'off', 'aria-labelledby': 'model-form-title' },
      this.#heading,
      this.#addressRow,
      labelled('models.key', input('api_key', { type: 'password', maxlength: '2000', autocomplete: 'new-password' }), this.#keyHint),
      labelled('models.served', input('served_name', { maxlength: '200', required: true })),
      el('div', { class: 'actions' },
        el('button', { type: 'button', class: 'action', onclick: () => this.#run(() => this.#test()) }, t('models.test'))),
      this.#result,
      ...this.#fields.elements,
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

  #place() {
    const { protocol } = this.#model;
    const place = { protocol, address: protocol === 'openai' ? this.#inputs.address.value.trim() : null };
    if (this.#inputs.api_key.value) place.api_key = this.#inputs.api_key.value.trim();
    return place;
  }

  // Without a new key the server uses the stored one.
  async #test() {
    this.#result.replaceChildren(el('p', {}, t('models.testing')));
    try {
      const result = await testModel({ ...this.#place(), model_id: this.#model.model_id, served_name: this.#inputs.served_name.value });
      this.#result.replaceChildren(describeTest(result, (name) => { this.#inputs.served_name.value = name; }));
    } catch (error) {
      this.#result.replaceChildren();
      throw error;
    }
  }

  async #save() {
    const changes = { ...this.#place(), served_name: this.#inputs.served_name.value, ...this.#fields.read() };
    this.#on.saved(await changeModel(this.#model.model_id, changes));
  }
}
