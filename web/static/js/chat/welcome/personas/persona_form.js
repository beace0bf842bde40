/** The form in which the reader writes a persona, or changes one. */

import { addPersona, changePersona } from '../../../api/personas.js';
import { el } from '../../../page/element.js';
import { t } from '../../../text/texts.js';
import { createLibraryForm, labelled } from '../../library/library_form.js';
import { fillModels, hasChoice } from '../../models/model_choice.js';

const MODES = ['active', 'passive', 'off'];

export class PersonaForm {
  element;
  #persona = null; // the one that is changed; null: a new one
  #heading = el('h3', { id: 'persona-form-title', tabindex: '-1' });
  #name = el('input', { class: 'field-text', name: 'name', dir: 'auto', maxlength: '60', required: true });
  #instructions = el('textarea', {
    class: 'field-text', name: 'instructions', dir: 'auto', maxlength: '8000', required: true, 'aria-describedby': 'instructions-hint',
  });
  #model = el('select', { class: 'field-text', name: 'model' });
  #modelRow = labelled('models.one', this.#model);
  #mode = el('select', { class: 'field-text', name: 'mode' }, ...MODES.map((mode) => el('option', { value: mode }, t(`mode.${mode}`))));
  #on;

  /** `on.saved()` and `on.cancelled()`. */
  constructor(on) {
    this.#on = on;
    this.element = this.#create();
  }

  /** `persona` is the API's; null for a new one. */
  show(persona) {
    this.#persona = persona;
    this.#heading.textContent = t(persona ? 'personas.change' : 'personas.add');
    this.#name.value = persona?.name ?? '';
    this.#instructions.value = persona?.instructions ?? '';
    this.#mode.value = persona?.mode ?? MODES[0];
    fillModels(this.#model, persona?.model);
    this.#modelRow.hidden = !hasChoice(persona?.model);
    this.#heading.focus();
  }

  #create() {
    const fields = [
      labelled('library.name', this.#name),
      labelled('personas.instructions', this.#instructions),
      el('p', { class: 'about', id: 'instructions-hint' }, t('personas.instructions.about')),
      this.#modelRow,
      labelled('welcome.mode', this.#mode),
    ];
    return createLibraryForm(this.#heading, fields, { save: () => this.#save(), cancel: () => this.#on.cancelled() });
  }

  async #save() {
    const text = { name: this.#name.value, instructions: this.#instructions.value, mode: this.#mode.value };
    const model = this.#model.value || null;
    if (model !== (this.#persona?.model ?? null)) text.model = model;
    if (this.#persona) await changePersona(this.#persona.persona_id, text);
    else await addPersona(text);
    this.#on.saved();
  }
}
