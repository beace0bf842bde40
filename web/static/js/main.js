/** Puts the page together: who is told of what. */

import { getStatus } from './api.js';
import { addressedPlace, setAddress, watchAddress } from './address.js';
import { announce } from './announcer.js';
import { Chat } from './chat.js';
import { prepareChoice, readChoice } from './choice.js';
import { Composer } from './composer.js';
import { prepareConversationDialog } from './conversation_dialog.js';
import { Conversations } from './conversations.js';
import { prepareDataDialog } from './data/data_dialog.js';
import { prepareForgetting } from './data/forgetting.js';
import { Deletions } from './deletions.js';
import { isDialogOpen } from './dialogs.js';
import { Drawer, closeOver } from './drawers.js';
import { byId } from './element.js';
import { eraseMessage } from './erasing.js';
import { sentence } from './errors.js';
import { showChips, showTitle } from './head.js';
import { notify, showStandIn, watchNetwork } from './notices.js';
import { Panel } from './panel/panel.js';
import { prepareSearch } from './search_box.js';
import { prepareShortcuts } from './shortcuts.js';
import { t } from './texts.js';
import { Thread } from './thread.js';
import { awaitTitle } from './title_watch.js';

const LIST_BESIDE_FROM_PX = 860;
const PANEL_BESIDE_FROM_PX = 1200;

const tell = (error) => notify(sentence(error));

const thread = new Thread({
  older: (before) => chat.older(before),
  newer: (after) => chat.newer(after),
  openAt: (sequence) => chat.openAt(sequence),
  reached: (message) => chat.resume(message),
  retry: (sequence) => chat.retry(sequence),
  goOn: (sequence) => chat.goOn(sequence),
  edit: resend,
  erase: (sequence, role) => eraseMessage(current, sequence, role).catch(tell),
  trace: (sequence) => chat.trace(sequence),
  failed: tell,
});

const composer = new Composer({
  send: (message) => chat.send(message, readChoice()),
  stop: () => chat.stop(),
  wait: () => notify(t('composer.wait')),
  back: () => thread.editNewest(),
});

const chat = new Chat(thread, {
  opened: showConversation,
  started: noteStart,
  live: (isLive) => composer.setLive(isLive),
  ended: noteEnd,
  refused: giveBack,
  arrived: () => composer.discard(),
  failed: noteFailure,
});

const conversations = new Conversations({ failed: tell, remove });
const deletions = new Deletions({ hidden: hide, back: bringBack, gone: forgetConversation, failed: tell });
const panel = new Panel({ reveal, onSettled: refreshList });
const list = new Drawer('list', LIST_BESIDE_FROM_PX);
const memory = new Drawer('panel', PANEL_BESIDE_FROM_PX, (isOpen) => panel.setVisible(isOpen));

let current = null; // id of the conversation that is shown

function showConversation(conversation) {
  const id = conversation?.conversation_id ?? null;
  const isOther = id !== current || id === null; // or it was only opened at another place
  current = id;
  byId('welcome').hidden = current !== null;
  if (isOther) composer.show(current);
  conversations.select(current);
  if (isOther) panel.open(conversation);
  showChips(conversation);
  showTitle(conversation?.title ?? conversations.titleOf(current));
}

function noteStart(conversation, sequence) {
  composer.accept(conversation.conversation_id);
  announce(t('reply.writing'));
  if (current === null) beginConversation(conversation);
  panel.noteLive(sequence);
  refreshList();
}

function beginConversation(conversation) {
  current = conversation.conversation_id;
  setAddress({ id: current }, { replace: true });
  byId('welcome').hidden = true;
  conversations.select(current);
  showChips(conversation);
  panel.open(conversation);
}

function noteEnd(reply) {
  announce(reply.ending);
  panel.noteLive(-1);
  lookForTitle(chat.conversation);
}

// Off the record no title is made.
async function lookForTitle({ conversation_id: id, mode }) {
  await refreshList();
  if (mode === 'off' || conversations.hasTitle(id)) return;
  await awaitTitle(async () => {
    if (current !== id || chat.isLive) return true; // the end of that round looks again
    await refreshList();
    return conversations.hasTitle(id);
  });
}

function resend(sequence, text) {
  composer.focus();
  return chat.edit(sequence, text);
}

function giveBack(message, error) {
  composer.giveBack(message);
  notify(t('notice.not_sent', { reason: sentence(error) }));
}

// An address that leads nowhere leads to a new chat.
function noteFailure(error) {
  tell(error);
  if (error.code !== 'not_found') return;
  leave();
}

function leave() {
  setAddress({ id: null }, { replace: true });
  chat.startNew();
}

async function refreshList() {
  await conversations.refresh();
  if (current) showTitle(conversations.titleOf(current));
}

function reveal(sequence) {
  memory.closeIfOver();
  thread.reveal(sequence);
}

async function visit({ id, sequence }) {
  closeOver([list, memory]);
  if (id === null) chat.startNew();
  else if (id !== current || sequence === null) await chat.open(id, sequence);
  if (current !== id) return; // it could not be opened, or the reader has gone on
  if (sequence !== null) thread.reveal(sequence);
  // On a touch screen, focus would bring up the keyboard unasked.
  else if (window.matchMedia('(pointer: fine)').matches) composer.focus();
}

function noteChange({ title, mode }) {
  chat.amend({ title, mode });
  conversations.amend(current, { title, mode });
  showChips(chat.conversation);
  showTitle(conversations.titleOf(current));
  panel.setMode(mode);
}

function remove(id) {
  deletions.start(id, conversations.titleOf(id) ?? t('list.untitled'));
}

let left = null; // the conversation that was open when it was deleted

function hide(id) {
  conversations.hide(id);
  if (id !== current) return;
  left = id;
  leave();
  composer.focus();
}

function bringBack(id) {
  conversations.unhide(id);
  if (id !== left || current !== null) return; // the reader has gone on
  setAddress({ id });
  visit({ id, sequence: null });
}

function forgetConversation(id) {
  composer.forget(id);
  conversations.remove(id);
}

function openSearch() {
  list.open();
  byId('search').focus();
}

function describeCurrent() {
  return { ...chat.conversation, title: conversations.titleOf(current) };
}

function showStatus(status) {
  byId('model').textContent = t('list.model', { model: status.model });
  showStandIn(status.stand_in);
  prepareForgetting(status.user_id);
}

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || isDialogOpen()) return;
  if (!closeOver([list, memory])) chat.stop();
});
byId('scrim').addEventListener('click', () => closeOver([list, memory]));

document.addEventListener('erased', ({ detail: messages }) => {
  const own = messages.filter((message) => message.conversation_id === current);
  thread.empty(own.map((message) => message.sequence_number));
  panel.wake();
  refreshList();
});

watchAddress(visit);
visit(addressedPlace()); // what the reader waits for is asked for first
watchNetwork();
prepareChoice().catch(tell);
prepareSearch((id) => conversations.titleOf(id));
prepareConversationDialog(describeCurrent, { changed: noteChange, deleted: remove });
prepareDataDialog(refreshList);
prepareShortcuts({ search: openSearch, newChat: () => byId('list').querySelector('.new-chat').click() });
getStatus().then(showStatus).catch(tell);
refreshList();
