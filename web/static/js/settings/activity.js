/** The audit log of the user's own data, newest first, in pages. */

import { listEvents } from '../api/access.js';
import { createRefresh, runAction } from '../page/action.js';
import { byId, el, timeElement } from '../page/element.js';
import { hasText, t } from '../text/texts.js';

/** `userId()` is the reader's id. */
export function prepareActivity(userId) {
  const list = byId('activity-list');
  const more = byId('activity-more');
  let next = null; // the `before` of the next page

  async function load(before) {
    const page = await listEvents(before);
    next = page.next_cursor;
    more.hidden = next === null;
    return page.events.map((event) => drawEvent(event, userId()));
  }

  more.addEventListener('click', () => runAction(byId('activity'), async () => list.append(...(await load(next)))));
  return {
    refresh: createRefresh(byId('activity'), async () => list.replaceChildren(...(await load(null)))),
  };
}

function drawEvent(event, userId) {
  const actor = describeActor(event, userId);
  return el('li', { class: 'event' },
    el('span', {}, describe(event), actor && el('span', { class: 'event-actor' }, actor)),
    timeElement(event.at));
}

// A newer server may record actions that this page has no text for.
function describe({ action }) {
  return hasText(`audit.${action}`) ? t(`audit.${action}`) : action;
}

function describeActor({ actor_id: actor, token_id: token }, userId) {
  if (token !== null) return t('activity.token', { id: token });
  if (actor === null) return t('activity.site');
  return actor === userId ? null : t('activity.other', { user: actor });
}
