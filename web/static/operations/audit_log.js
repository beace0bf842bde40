/** The audit log of all users, newest first, in pages. It is read when the operator asks. */

import { getJson } from '../js/api/http.js';
import { runAction } from '../js/page/action.js';
import { el, timeElement } from '../js/page/element.js';
import { hasText, t } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

const PAGE = 25;

export function createAuditLog() {
  const user = createFilter('user');
  const actor = createFilter('actor');
  const more = el('button', { type: 'button', class: 'quiet', hidden: true }, t('activity.more'));
  const search = el('button', { type: 'submit', class: 'quiet' }, t('operations.audit.show'));
  const form = el('form', { class: 'filters' }, user.element, actor.element, search);
  const table = createTable('audit', ['since', 'user', 'actor', 'action', 'object', 'address']);
  const element = createSection('audit', form, table.element, more);
  let events = [];
  let next = null; // the cursor of the next page

  async function load() {
    const query = { user_id: user.value(), actor_id: actor.value(), limit: PAGE, cursor: next };
    const page = await getJson('/api/v1/operations/audit', query);
    events = [...events, ...page.events];
    next = page.next_cursor;
    more.hidden = next === null;
    table.show(events.map(drawEvent));
  }

  function restart() {
    events = [];
    next = null;
    return load();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(element, restart);
  });
  more.addEventListener('click', () => runAction(element, load));
  return { element, refresh: () => runAction(element, restart) };
}

function createFilter(name) {
  const input = el('input', { id: `audit-${name}`, autocomplete: 'off', spellcheck: 'false', maxlength: '200' });
  const label = el('label', { for: input.id }, t(`operations.audit.${name}`));
  return { element: el('div', {}, label, input), value: () => input.value.trim() || null };
}

function drawEvent(event) {
  return [
    timeElement(event.at),
    el('code', {}, event.user_id),
    drawActor(event),
    hasText(`audit.${event.action}`) ? t(`audit.${event.action}`) : event.action,
    event.object ? el('code', {}, `${event.object.kind} ${event.object.object_id}`) : '–',
    event.address ?? '–',
  ];
}

function drawActor({ actor_id: actor, token_id: token }) {
  if (token !== null) return t('activity.token', { id: token });
  return actor === null ? t('activity.site') : el('code', {}, actor);
}
