/** The line above the chat: the title, the agent, and what memory may do. */

import { byId, el } from '../page/element.js';
import { t } from '../text/texts.js';
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
  byId('conversation-open').hidden = !conversation;
  byId('chips').replaceChildren(...chips.map((text) => el('span', { class: 'chip' }, text)));
}
