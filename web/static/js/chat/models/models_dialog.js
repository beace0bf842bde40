/**
 * The site's models, in a dialog for operators.
 *
 * This module is loaded when the dialog is opened for the first time.
 */

import { deleteModel, examineModel, listSiteModels } from '../../api/models.js';
import { createRefresh, runAction } from '../../page/action.js';
import { closeByBackdrop, confirmAction } from '../../page/dialogs.js';
import { el, iconButton } from '../../page/element.js';
import { t } from '../../text/texts.js';
import { describeLimits } from './limits.js';
import { ModelForm } from './model_form.js';
import { ModelSteps } from './model_steps.js';
import { tellSuccess, welcomeFirst } from './model_trial.js';

const POLL_MS = 3000;

export class ModelsDialog {
  #list = el('ul', { class: 'tokens' });
  #verdict = el('div'); // an error of an examination
  #again = 0; // the timer that reads the list again while a model is examined
  #environment = el('div', { class: 'about' });
  #add = el('button', { type: 'button', class: 'action is-main', onclick: () => this.#begin() }, t('models.add'));
  #overview = el('div', {}, this.#list, this.#verdict, this.#environment, el('div', { class: 'dialog-foot' }, this.#add));
  #frame = el('div', {}, this.#overview); // has the list, the form or the steps
  #load = createRefresh(this.#overview, () => this.#read());
  #form = new ModelForm({ saved: () => this.#showSaved(), cancelled: () => this.#showTested() });
  #steps = new ModelSteps({ added: (model, result) => this.#showAdded(model, result), cancelled: () => this.#showList() });
  #dialog = this.#create();
  #isFirst = false;
  #on;

  /** `on` is as in `welcomeFirst`. */
  constructor(on) {
    this.#on = on;
    document.body.append(this.#dialog);
  }

  /** `isFirst`: the stand-in answers, so that the steps are what the operator came for. */
  async open(isFirst = false) {
    this.#isFirst = isFirst;
    this.#showList();
    this.#dialog.showModal();
    await this.#load();
    if (isFirst && !this.#list.children.length) await this.#begin();
  }

  #create() {
    const close = () => dialog.close();
    const dialog = el('dialog', { class: 'dialog', id: 'models', 'aria-labelledby': 'models-title' },
      el('div', { class: 'dialog-body' },
        el('div', { class: 'dialog-head' }, el('h2', { id: 'models-title' }, t('models.title')),
          iconButton('close', t('dialog.close'), { class: 'icon-button', onclick: close })),
        this.#frame));
    closeByBackdrop(dialog);
    return dialog;
  }

  async #read() {
    const { models, environment, environment_memory: memory, environment_limits: limits } = await listSiteModels();
    const on = {
      edit: (model) => this.#edit(model),
      examine: (model) => this.#examine(model),
      changed: () => this.#noteChange(),
    };
    const focusedId = this.#list.contains(document.activeElement) && document.activeElement.id;
    const fixed = memory ? [{ ...memory, model_id: 'environment', offered: true, limits: limits[memory.name] }] : [];
    this.#list.replaceChildren(
      ...[...fixed, ...models].map((model) => drawModel(model, on)),
    );
    const isExamining = [...fixed, ...models].some(({ examination }) => examination && !examination.done);
    clearTimeout(this.#again);
    if (isExamining && this.#dialog.open) this.#again = setTimeout(() => this.#load(), POLL_MS);
    if (focusedId) document.getElementById(focusedId)?.focus();
    const others = environment.filter((name) => name !== memory?.name && describeLimits(limits[name]));
    this.#environment.replaceChildren(
      el('p', {}, t('models.environment', { names: environment.join(', ') })),
      ...others.map((name) => el('p', { dir: 'auto' }, `${name} · ${describeLimits(limits[name])}`)),
    );
  }

  #edit(model) {
    this.#frame.replaceChildren(this.#form.element);
    this.#form.show(model);
  }

  #begin() {
    this.#frame.replaceChildren(this.#steps.element);
    return this.#steps.show(this.#isFirst);
  }

  #showList() {
    this.#frame.replaceChildren(this.#overview);
  }

  #showAdded(model, result) {
    const isFirst = this.#isFirst && model.chat_default;
    this.#showSaved();
    this.#verdict.replaceChildren(el('p', { class: 'about', role: 'status' }, tellSuccess(result)));
    if (!isFirst) return;
    this.#dialog.close();
    welcomeFirst(result, this.#on);
  }

  // A test may have changed what is known of a model.
  #showTested() {
    this.#showList();
    this.#load();
  }

  #showSaved() {
    this.#isFirst = false;
    this.#showList();
    this.#noteChange();
    this.#add.focus();
  }

  async #examine({ model_id: id }) {
    await runAction(this.#verdict, () => examineModel(id));
    this.#load();
  }

  #noteChange() {
    this.#load();
    this.#on.changed();
  }
}

/**
 * `on.edit(model)`, `on.examine(model)`, and `on.changed()` after it was removed.
 *
 * The environment's model has no server's name, and can only be examined.
 */
function drawModel(model, on) {
  const id = `site-model-${model.model_id}`;
  const button = (key, onclick) => el('button', {
    type: 'button', class: 'action', id: `${id}-${key}`, 'aria-describedby': `${id} ${id}-verdict`, onclick,
  }, t(key));
  const row = el('li', { class: 'token' },
    el('div', { class: 'token-head' },
      el('p', {}, el('strong', { id, dir: 'auto' }, model.name)),
      el('div', { class: 'model-uses' }, ...listUses(model).map((use) => el('span', { class: 'chip' }, use)))),
    el('p', { class: 'about', dir: 'auto' }, describePlace(model)),
    ...[describeLimits(model.limits)].filter(Boolean).map((takes) => el('p', { class: 'about', dir: 'auto' }, takes)),
    el('p', { class: 'about', id: `${id}-verdict` }, describeTrust(model)),
    el('div', { class: 'actions' },
      button('models.verify', () => on.examine(model)),
      ...(model.served_name ? [
        button('models.edit', () => on.edit(model)),
        button('models.remove', () => askAndRemove(model, row, on)),
      ] : [])));
  return row;
}

function listUses(model) {
  const uses = [];
  if (model.chat_default) uses.push(t('models.use.chat'));
  if (model.memory_default) uses.push(t('models.use.memory'));
  if (!model.offered) uses.push(t('models.use.hidden'));
  return uses;
}

function describePlace({ served_name: name, address, has_key: hasKey }) {
  if (!name) return t('models.by_environment');
  const key = t(hasKey ? 'models.key.set' : 'models.key.none');
  return [name, address, key].filter(Boolean).join(' · ');
}

/** Whether it notes facts by itself, and why not. */
function describeTrust({ trust, notes_facts: notesFacts, examination }) {
  if (trust === 'always' || trust === 'never') return t(`models.verified.${trust}`);
  if (examination && !examination.done) return t('models.verifying', examination);
  if (!examination) return t(notesFacts ? 'models.verified.always' : 'models.verified.unknown');
  if (notesFacts) return t(examination.passed ? 'models.verified.yes' : 'models.verified.always');
  return t(examination.passed ? 'models.verified.never' : 'models.verified.no', examination);
}

async function askAndRemove(model, row, on) {
  const question = { title: t('models.remove_title'), text: t('models.remove_text', { name: model.name }), verb: t('models.remove') };
  if (!(await confirmAction(question))) return;
  if (await runAction(row, () => deleteModel(model.model_id))) on.changed();
}
