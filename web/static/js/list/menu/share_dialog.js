/** Makes links by which anybody may read a chat, and lists and revokes the user's links. */

import { listShares, makeShare, revokeShare } from '../../api/access.js';
import { createRefresh, runAction } from '../../page/action.js';
import { copyButton } from '../../page/copy_button.js';
import { closeByBackdrop } from '../../page/dialogs.js';
import { el, iconButton } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { t } from '../../text/texts.js';
import { formatTime } from '../../text/times.js';

const DAYS = [1, 7, 30];
const USUAL_DAYS = 7;
const ONLY_HERE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `chat` is {id, title}. */
export function openShareDialog(chat) {
  const frame = el('div', { class: 'new-token', hidden: true });
  const list = el('ul', { class: 'tokens' });
  const none = el('p', { class: 'about', hidden: true }, t('share.none'));
  const links = el('section', {}, el('h3', {}, t('share.links')), none, list);
  const refresh = createRefresh(links, async () => {
    const { shares } = await listShares();
    none.hidden = shares.length > 0;
    list.replaceChildren(...shares.map((share) => drawLink(share, refresh)));
  });
  const form = drawForm(async (days) => {
    showOnce(frame, await makeShare(chat.id, days));
    refresh();
  });
  const dialog = drawDialog(chat, form, frame, links);
  dialog.showModal();
  refresh();
}

function drawDialog({ title }, form, frame, links) {
  const close = iconButton('close', t('dialog.close'), { class: 'icon-button', onclick: () => dialog.close() });
  const dialog = el('dialog', { class: 'dialog', id: 'share', 'aria-labelledby': 'share-title' },
    el('div', { class: 'dialog-body' },
      el('div', { class: 'dialog-head' }, el('h2', { id: 'share-title' }, t('share.title')), close),
      el('section', {},
        el('p', { class: 'share-what', dir: 'auto' }, title),
        el('p', { class: 'about' }, t('share.about')),
        el('p', { class: 'about' }, t('share.remembered')),
        ONLY_HERE.has(location.hostname) ? el('p', { class: 'share-here' }, t('share.only_here')) : null,
        form, frame),
      links));
  closeByBackdrop(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  return dialog;
}

/** `make(days)` makes a link; null days are for ever. */
function drawForm(make) {
  const choices = DAYS.map((days) => el('option', { value: `${days}`, selected: days === USUAL_DAYS },
    t(days === 1 ? 'share.day' : 'share.days', { days })));
  const days = el('select', { class: 'field-text' }, ...choices, el('option', { value: '' }, t('share.never')));
  const form = el('form', { class: 'share-form', autocomplete: 'off' },
    el('label', { class: 'stacked' }, el('span', {}, t('share.expiry')), days),
    el('button', { type: 'submit', class: 'action is-main' }, t('share.make')));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    runAction(form, () => make(Number(days.value) || null));
  });
  return form;
}

function showOnce(frame, { path }) {
  const address = location.origin + path;
  const text = el('code', { tabindex: '0' }, address);
  frame.replaceChildren(
    el('p', {}, t('share.made')),
    el('div', { class: 'token-text' }, text, copyButton(() => address, t('share.copy'))),
  );
  frame.hidden = false;
  text.focus();
}

function drawLink(share, refresh) {
  const name = share.title || share.preview || t('list.untitled');
  const revoke = async () => {
    if (!(await runAction(row, () => revokeShare(share.share_id)))) return;
    announce(t('share.revoked'));
    row.closest('dialog').querySelector('.icon-button').focus();
    refresh();
  };
  const row = el('li', { class: 'token' },
    el('div', { class: 'token-head' }, el('p', {}, el('strong', { dir: 'auto' }, name)),
      el('button', {
        type: 'button', class: 'action', 'aria-label': t('share.revoke_of', { title: name }), onclick: revoke,
      }, t('share.revoke'))),
    el('p', { class: 'about' }, `${t('share.made_at', { time: formatTime(share.created_at) })} ${describeEnd(share)}`));
  return row;
}

function describeEnd({ expires_at: expiresAt }) {
  return expiresAt ? t('share.expires', { time: formatTime(expiresAt) }) : t('share.endless');
}
