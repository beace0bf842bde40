/** The open conversation's own settings: its title, what memory may do, its end. */

import { changeConversation } from './api.js';
import { attempt } from './attempt.js';
import { prepareDialog } from './dialogs.js';
import { byId } from './element.js';

/**
 * `look()` gives {conversation_id, title, mode} of the open one. `on.changed(changes)` is told
 * {title, mode} as the server has them, `on.deleted(id)` that it is to go.
 */
export function prepareConversationDialog(look, on) {
  const form = byId('conversation-form');
  const { title, mode } = form.elements;
  let shownTitle = '';
  const dialog = prepareDialog('conversation', () => {
    const shown = look();
    title.value = shown.title ?? '';
    shownTitle = title.value; // which may be how the conversation begins, while it has no title
    mode.value = shown.mode;
    offer(mode, shown.mode);
  });

  async function save() {
    const { conversation_id: id } = look();
    const isRenamed = title.value !== shownTitle;
    const changes = { mode: mode.value, ...(isRenamed && { title: title.value.trim() || null }) };
    on.changed(await changeConversation(id, changes));
    dialog.close();
  }

  function remove() {
    dialog.close();
    on.deleted(look().conversation_id);
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    attempt(form, save);
  });
  byId('conversation-delete').addEventListener('click', remove);
}

// What was said off the record stays so: whether it is off is settled when a chat begins.
function offer(choices, current) {
  for (const choice of choices) choice.disabled = (choice.value === 'off') !== (current === 'off');
}
