/** The line above the chat: the title, the agent, and what memory may do. */

import { byId, el } from '../page/element.js';
import { hasText, t } from '../text/texts.js';
import { agentTitle } from './chat_options.js';

export function showTitle(title) {
  byId('title').textContent = title ?? t('chat.new');
  document.title = title ? `${title} · ${t('app.name')}` : t('app.name');
}

/** `conversation` is the API's. A new chat (null) shows its options on the welcome screen instead. */
export function showChips(conversation) {
  const chips = [];
  if (conversation?.agent) chips.push(agentTitle(conversation.agent));
  if (conversation?.mode) chips.push(t(`mode.chip.${conversation.mode}`));
  const note = `mode.note.${conversation?.mode}`;
  byId('mode-note').hidden = !hasText(note);
  byId('mode-note').textContent = hasText(note) ? t(note) : '';
  byId('messages').classList.toggle('is-temporary', conversation?.mode === 'temporary');
  byId('conversation-open').hidden = !conversation?.conversation_id;
  byId('chips').replaceChildren(...chips.map((text) => el('span', { class: 'chip' }, text)));
}
