/** The line above the chat: the title, the model with its picker, the agent, and what memory may do. */

import { changeConversation } from '../../api/chat.js';
import { setDocumentTitle } from '../../page/attention.js';
import { byId, el } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { hasText, t } from '../../text/texts.js';
import { describeModel, fillModels } from '../models/model_choice.js';
import { answererOf } from '../welcome/chat_options.js';

export function showTitle(title) {
  byId('title').textContent = title ?? t('chat.new');
  setDocumentTitle(title ? `${title} · ${t('app.name')}` : t('app.name'));
}

/** `conversation` is the API's. A new chat (null) shows its options on the welcome screen instead. */
export function showChips(conversation) {
  const chips = conversation ? listChips(conversation) : [];
  const note = `mode.note.${conversation?.mode}`;
  byId('mode-note').hidden = !hasText(note);
  byId('mode-note').textContent = hasText(note) ? t(note) : '';
  byId('archive-note').hidden = !conversation?.archived;
  byId('messages').classList.toggle('is-temporary', conversation?.mode === 'temporary');
  showStored(chips, conversation?.conversation_id ? conversation : null);
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

/** `describe()` is the open conversation. `on.changed(values)` gets the server's. */
export function prepareHeader(describe, on) {
  byId('chat-model').addEventListener('change', async ({ target }) => {
    const conversation = describe();
    try {
      on.changed(await changeConversation(conversation.conversation_id, { model: target.value || null }));
    } catch (error) {
      fillModels(target, conversation.model);
      on.failed(error);
    }
  });
  byId('bring-back').addEventListener('click', async () => {
    const { conversation_id: id, title } = describe();
    try {
      on.changed(await changeConversation(id, { archived: false }));
      announce(t('archive.brought_back', { title }));
    } catch (error) {
      on.failed(error);
    }
  });
}
