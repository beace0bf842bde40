/** The settings of the open conversation: title, model, memory mode, deletion. */

import { changeConversation } from '../../api/chat.js';
import { runAction } from '../../page/action.js';
import { prepareDialog } from '../../page/dialogs.js';
import { byId } from '../../page/element.js';
import { fillModels, hasChoice } from '../models/model_choice.js';

/**
 * `on.remove(id)` is called when the conversation is to be deleted, `on.share({id, title})` when it is
 * to be shared.
 */
export function prepareConversationDialog(chat, header, on) {
  const form = byId('conversation-form');
  const { title, model, mode } = form.elements;
  let shownModel = ''; // the picker's value when the dialog was opened
  let shownTitle = ''; // of a conversation without a title: how it begins
  const dialog = prepareDialog('conversation', () => {
    const { conversation } = chat;
    title.value = header.title ?? '';
    shownTitle = title.value; // without the line breaks, which the field removes
    fillModels(model, conversation.model);
    shownModel = model.value;
    byId('conversation-model').hidden = !hasChoice(conversation.model);
    mode.value = conversation.mode;
    enableModes(mode, conversation.mode);
  });

  async function save() {
    const { id } = chat;
    const changes = { mode: mode.value };
    if (model.value !== shownModel) changes.model = model.value || null;
    if (title.value !== shownTitle) changes.title = title.value.trim() || null;
    chat.change(await changeConversation(id, changes));
    dialog.close();
  }

  function remove() {
    dialog.close();
    on.remove(chat.id);
  }

  function share() {
    dialog.close();
    on.share({ id: chat.id, title: header.title ?? '' });
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(form, save);
  });
  byId('conversation-delete').addEventListener('click', remove);
  byId('conversation-share')?.addEventListener('click', share);
}

// Whether memory is off is decided when a chat begins, and cannot be changed later.
function enableModes(modes, current) {
  for (const mode of modes) mode.disabled = (mode.value === 'off') !== (current === 'off');
}
