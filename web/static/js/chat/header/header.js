/** The line above the chat: its project and title, the model with its picker, the agent, and what memory may do. */

import { changeConversation } from '../../api/chat.js';
import { addressOf } from '../../page/address.js';
import { setDocumentTitle, tellIfHidden } from '../../page/attention.js';
import { byId, el } from '../../page/element.js';
import { notifyError } from '../../page/failures.js';
import { announce } from '../../page/notices.js';
import { hasText, t } from '../../text/texts.js';
import { describeModel, fillModels } from '../models/model_choice.js';
import { answererOf } from '../welcome/chat_options.js';

export class Header {
  #chat;
  #on;

  /** `on.titleOf(id)` is a conversation's title in the list, if its row is loaded. `on.open(id)` shows a conversation, `on.editProject(name)` the settings of a project. */
  constructor(chat, on) {
    this.#chat = chat;
    this.#on = on;
    chat.on('shown', () => {
      this.showChips();
      showTitle(chat.conversation?.title ?? on.titleOf(chat.id));
    });
    chat.on('begun', () => this.showChips());
    chat.on('changed', ({ id }) => id === chat.id && this.#show());
    chat.on('ended', ({ isWhole }) => this.#tellEnd(chat.id, isWhole));
    byId('chat-model').addEventListener('change', ({ target }) => this.#changeModel(target));
    byId('chat-project').addEventListener('click', () => on.editProject(chat.conversation.project));
    byId('bring-back').addEventListener('click', () => this.#bringBack());
  }

  /** The list may not have loaded an old conversation, or an archived one. */
  get title() {
    return this.#on.titleOf(this.#chat.id) ?? this.#chat.conversation?.title;
  }

  /** What a chat may choose has other names now. */
  showChips() {
    showConversation(this.#chat.conversation);
  }

  /** The list was read again. */
  showTitle() {
    if (this.#chat.id) showTitle(this.title);
  }

  // Of a reply, where the reader looks elsewhere.
  #tellEnd(id, isWhole) {
    const open = () => id === this.#chat.id || this.#on.open(id);
    tellIfHidden({ heading: this.title, isWhole, address: addressOf(id), open });
  }

  #show() {
    this.showChips();
    this.showTitle();
  }

  async #changeModel(picker) {
    const { id, conversation } = this.#chat;
    try {
      this.#chat.change(await changeConversation(id, { model: picker.value || null }));
    } catch (error) {
      fillModels(picker, conversation.model);
      notifyError(error);
    }
  }

  async #bringBack() {
    const { id } = this.#chat;
    const { title } = this;
    try {
      this.#chat.change(await changeConversation(id, { archived: false }));
      announce(t('archive.brought_back', { title }));
    } catch (error) {
      notifyError(error);
    }
  }
}

function showTitle(title) {
  byId('title').textContent = title ?? t('chat.new');
  setDocumentTitle(title ? `${title} · ${t('app.name')}` : t('app.name'));
}

/** `conversation` is the API's. A new chat (null) shows its options on the welcome screen instead. */
function showConversation(conversation) {
  const chips = conversation ? listChips(conversation) : [];
  const note = `mode.note.${conversation?.mode}`;
  byId('mode-note').hidden = !hasText(note);
  byId('mode-note').textContent = hasText(note) ? t(note) : '';
  byId('archive-note').hidden = !conversation?.archived;
  showProject(conversation?.project ?? null);
  byId('messages').classList.toggle('is-temporary', conversation?.mode === 'temporary');
  showStored(chips, conversation?.conversation_id ? conversation : null);
}

function showProject(name) {
  const button = byId('chat-project');
  button.hidden = name === null;
  button.textContent = name;
  button.setAttribute('aria-label', t('projects.settings_of', { project: name }));
}

function showStored(chips, conversation) {
  const isStored = conversation !== null;
  byId('conversation-open').hidden = !isStored;
  byId('model-pick').hidden = !isStored;
  drawChips(chips, isStored);
  if (isStored) fillModels(byId('chat-model'), conversation.model);
}

/** Of a stored conversation they open its settings. One that has the focus stays where it is. */
function drawChips(texts, isStored) {
  const shown = [...byId('chips').children];
  const canStay = shown.length === texts.length && shown.every((chip) => isStored === (chip.localName === 'button'));
  const chips = canStay ? shown : texts.map(() => (isStored ? createChipButton() : el('span', { class: 'chip' })));
  chips.forEach((chip, index) => labelChip(chip, texts[index]));
  if (!canStay) byId('chips').replaceChildren(...chips);
}

function createChipButton() {
  const onclick = () => byId('conversation-open').click();
  return el('button', { type: 'button', class: 'chip', 'aria-haspopup': 'dialog', onclick });
}

function labelChip(chip, text) {
  chip.textContent = text;
  if (chip.localName === 'button') chip.setAttribute('aria-label', t('chat.chip', { text, does: t('conversation.open') }));
}

function listChips(conversation) {
  const { conversation_id: id, model, mode } = conversation;
  const all = [answererOf(conversation), id ? null : describeModel(model), mode && t(`mode.chip.${mode}`)];
  return all.filter(Boolean);
}
