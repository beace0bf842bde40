/**
 * The site's models, in a dialog for operators.
 *
 * This module is loaded when the dialog is opened for the first time.
 */

import { deleteModel, listSiteModels, verifyModel } from '../../api/models.js';
import { createRefresh, runAction } from '../../page/action.js';
import { closeByBackdrop, confirmAction } from '../../page/dialogs.js';
import { el, iconButton } from '../../page/element.js';
import { t } from '../../text/texts.js';
import { describeLimits } from './limits.js';
import { ModelForm } from './model_form.js';
import { ModelSteps } from './model_steps.js';
import { tellSuccess, welcomeFirst } from './model_trial.js';

export class ModelsDialog {
  #list = el('ul', { class: 'tokens' });
  #verdict = el('div'); // an error of a check
  #environment = el('div', { class: 'about' });
  #add = el('button', { type: 'button', class: 'action is-main', onclick: () => this.#begin() }, t('models.add'));
  #overview = el('div', {}, this.#list, this.#verdict, this.#environment, el('div', { class: 'dialog-foot' }, this.#add));
  #frame = el('div', {}, this.#overview); // has the list, the form or the steps
  #load = createRefresh(this.#overview, () => this.#read());
  #form = new ModelForm({ saved: (model) => this.#showSaved(model), cancelled: () => this.#showTested() });
  #steps = new ModelSteps({ added: (model, result) => this.#showAdded(model, result), cancelled: () => this.#showList() });
  #dialog = this.#create();
  #isFirst = false;
  #verifying = null; // the id of the model that is checked now
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
      verify: (model) => this.#verify(model),
      changed: () => this.#noteChange(),
    };
    const focusedId = this.#list.contains(document.activeElement) && document.activeElement.id;
    const fixed = memory ? [{ ...memory, model_id: 'environment', offered: true, limits: limits[memory.name] }] : [];
    this.#list.replaceChildren(
      ...[...fixed, ...models].map((model) => drawModel(model, model.model_id === this.#verifying, on)),
    );
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
    this.#showSaved(model);
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

  #showSaved(model) {
    this.#isFirst = false;
    this.#showList();
    this.#noteChange();
    this.#add.focus();
    if (!model.verification) this.#verify(model);
  }

  // A check may take a minute, and nothing waits for it. There is one at a time.
  async #verify({ model_id: id }) {
    if (this.#verifying !== null) return;
    this.#verifying = id;
    this.#load();
    await runAction(this.#verdict, () => verifyModel(id));
    this.#verifying = null;
    this.#load();
  }

  #noteChange() {
    this.#load();
    this.#on.changed();
  }
}

/**
 * `on.edit(model)`, `on.verify(model)`, and `on.changed()` after it was removed.
 *
 * The environment's model has no server's name, and can only be checked.
 */
function drawModel(model, isVerifying, on) {
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
    el('p', { class: 'about', id: `${id}-verdict` }, isVerifying ? t('models.verifying') : describeVerification(model)),
    el('div', { class: 'actions' },
      button('models.verify', () => on.verify(model)),
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

function describeVerification({ verification }) {
  if (!verification) return t('models.verified.unknown');
  return t(verification.enough ? 'models.verified.yes' : 'models.verified.no', verification);
}

async function askAndRemove(model, row, on) {
  const question = { title: t('models.remove_title'), text: t('models.remove_text', { name: model.name }), verb: t('models.remove') };
  if (!(await confirmAction(question))) return;
  if (await runAction(row, () => deleteModel(model.model_id))) on.changed();
}
