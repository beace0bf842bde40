/** The line above the chat: what it is called, who answers, what memory may do, its settings. */

import { agentTitle } from './choice.js';
import { byId, el } from './element.js';
import { t } from './texts.js';

export function showTitle(title) {
  byId('title').textContent = title ?? t('chat.new');
  document.title = title ? `${title} · ${t('app.name')}` : t('app.name');
}

/** `conversation` is the API's; a new chat (null) has its choice on the page instead. */
export function showChips(conversation) {
  const chips = [];
  if (conversation?.agent) chips.push(agentTitle(conversation.agent));
  if (conversation?.mode) chips.push(t(`mode.chip.${conversation.mode}`));
  byId('conversation-open').hidden = !conversation;
  byId('chips').replaceChildren(...chips.map((text) => el('span', { class: 'chip' }, text)));
}
