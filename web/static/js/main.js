/** Creates the parts of the page and connects them. */

import { getStatus } from './api/chat.js';
import { describeError } from './api/errors.js';
import { followEvents } from './api/events.js';
import { Chat } from './chat/chat.js';
import { prepareOptions, readOptions, resetMode } from './chat/chat_options.js';
import { Composer } from './chat/composer.js';
import { prepareConversationDialog } from './chat/conversation_dialog.js';
import { showChips, showTitle } from './chat/header.js';
import { InStep } from './chat/in_step.js';
import { eraseMessage } from './chat/message_erasure.js';
import { MessageQueue } from './chat/queue.js';
import { ReplyChanges } from './chat/reply_changes.js';
import { Thread } from './chat/thread.js';
import { prepareDataDialog, prepareDeletionForm } from './data/data_dialog.js';
import { awaitTitle } from './list/await_title.js';
import { Conversations } from './list/conversations.js';
import { Deletions } from './list/deletions.js';
import { readAddress, setAddress, watchAddress } from './page/address.js';
import { isDialogOpen } from './page/dialogs.js';
import { Drawer, closeOverChat } from './page/drawers.js';
import { byId } from './page/element.js';
import { announce, notify, showStandIn, watchNetwork } from './page/notices.js';
import { prepareShortcuts } from './page/shortcuts.js';
import { showLearned } from './panel/learned.js';
import { Panel } from './panel/panel.js';
import { prepareSettingsDialog } from './settings/settings_dialog.js';
import { t } from './text/texts.js';

// The same widths as in css/2-layout.css.
const LIST_BESIDE_FROM_PX = 860;
const PANEL_BESIDE_FROM_PX = 1200;

const notifyError = (error) => notify(describeError(error));

const thread = new Thread({
  older: (before) => chat.older(before),
  newer: (after) => chat.newer(after),
  openAt: (sequence) => chat.openAt(sequence),
  reached: (message) => chat.resume(message),
  retry: (sequence) => chat.retry(sequence),
  goOn: (sequence) => chat.goOn(sequence),
  edit: sendEdit,
  erase: (sequence, role) => eraseMessage(currentId, sequence, role).catch(notifyError),
  trace: (sequence) => chat.trace(sequence),
  rate: (sequence, rating) => replies.rate(sequence, rating),
  turn: (sequence, variant) => replies.turn(sequence, variant),
  failed: notifyError,
});

const composer = new Composer({
  send: (message) => chat.send(message, readOptions()),
  stop: () => chat.stop(),
  queue: (message) => queue.add(message),
  editNewest: () => !chat.isTemporary && thread.editNewest(), isPrivate,
});

const queue = new MessageQueue({
  send: (message) => chat.send(message, {}),
  restore: (message) => composer.restore(message), isPrivate,
});

const chat = new Chat(thread, {
  opened: showConversation,
  started: noteStarted,
  live: (isLive) => composer.setLive(isLive),
  ended: noteEnded,
  refused: restoreMessage,
  arrived: () => composer.discard(),
  changed: noteChanged,
  failed: noteFailed,
});

const replies = new ReplyChanges(chat, noteFailed);
const inStep = new InStep(chat, { currentId: () => currentId, refreshList });
const conversations = new Conversations({ failed: notifyError, remove: deleteConversation, renamed: noteRenamed });
const deletions = new Deletions({
  hidden: hideConversation, restored: restoreConversation, deleted: forgetConversation, failed: notifyError,
});
const panel = new Panel({ reveal: revealMessage, onSettled: refreshList });
const listDrawer = new Drawer('list', LIST_BESIDE_FROM_PX);
const panelDrawer = new Drawer('panel', PANEL_BESIDE_FROM_PX, (isOpen) => panel.setVisible(isOpen));

let userId = null; // until the server has told it
let currentId = null; // of the open conversation; null for a new chat
let palette = null;
let deletedId = null; // of a conversation that was open when it was deleted

// The same conversation may be shown again at another place; then its draft and panel stay.
function showConversation(conversation, isLive) {
  const id = conversation?.conversation_id ?? null;
  const isOther = id !== currentId || id === null;
  currentId = id;
  byId('welcome').hidden = Boolean(conversation);
  if (!conversation) resetMode();
  if (isOther) composer.show(id);
  queue.show(id, isLive);
  conversations.select(id);
  if (isOther) panel.open(id && conversation);
  showChips(conversation);
  showTitle(conversation?.title ?? conversations.titleOf(id));
}

function isPrivate() {
  return chat.isTemporary || (!chat.conversation && readOptions().mode === 'temporary');
}

function noteStarted(conversation, sequence) {
  composer.accept(conversation.conversation_id);
  queue.adopt(conversation.conversation_id);
  announce(t('reply.writing'));
  if (currentId !== conversation.conversation_id) beginConversation(conversation);
  panel.setLive(sequence);
  refreshList();
}

function beginConversation(conversation) {
  setAddress({ id: conversation.conversation_id }, { replace: currentId === null });
  currentId = conversation.conversation_id;
  byId('welcome').hidden = true;
  conversations.select(currentId);
  showChips(conversation);
  panel.open(conversation);
}

function noteEnded(reply) {
  announce(reply.ending);
  panel.setLive(-1);
  awaitTitle(chat.conversation, { conversations, refreshList, isOver: (id) => currentId !== id || chat.isLive });
  queue.settle(reply.isWhole);
}

function sendEdit(sequence, text) {
  composer.focus();
  return chat.edit(sequence, text);
}

function restoreMessage(message, error) {
  queue.takeBack();
  composer.restore(message);
  notify(t('notice.not_sent', { reason: describeError(error) }));
}

function noteFailed(error) {
  notifyError(error);
  if (error.code === 'not_found') leaveConversation();
}

function leaveConversation() {
  setAddress({ id: null }, { replace: true });
  chat.startNew();
}

async function refreshList() {
  await conversations.refresh();
  if (currentId) showTitle(findTitle());
}

// The list may not have loaded an old conversation, or an archived one.
function findTitle() {
  return conversations.titleOf(currentId) ?? chat.conversation?.title;
}

function noteRenamed(id, title) {
  if (id === currentId) noteChanged({ title, mode: chat.conversation.mode });
}

function revealMessage(sequence) {
  closeOverChat([panelDrawer]);
  thread.reveal(sequence);
}

async function visit({ id, sequence }) {
  closeOverChat([listDrawer, panelDrawer]);
  if (id === null) chat.startNew();
  else if (id !== currentId || sequence === null) await chat.open(id, sequence);
  if (currentId !== id) return; // it was not found, or the reader has gone on
  if (sequence !== null) thread.reveal(sequence);
  else composer.focusWithMouse();
}

function noteChanged({ title, mode }) {
  chat.update({ title, mode });
  conversations.update(currentId, { title, mode });
  showChips(chat.conversation);
  showTitle(findTitle());
  panel.setMode(mode);
}

function deleteConversation(id) {
  deletions.start(id, conversations.titleOf(id) ?? t('list.untitled'));
}

function hideConversation(id) {
  conversations.hide(id);
  if (id !== currentId) return;
  deletedId = id;
  leaveConversation();
  composer.focus();
}

function restoreConversation(id) {
  conversations.unhide(id);
  if (id !== deletedId || currentId !== null) return; // the reader has gone on
  setAddress({ id });
  visit({ id, sequence: null });
}

function forgetConversation(id) {
  composer.forget(id);
  queue.forget(id);
  conversations.remove(id);
}

function goTo(target) {
  setAddress(target);
  visit(target);
}

// Few visits need the palette at once, so it is loaded when it is opened.
async function openPalette() {
  const { Palette } = await import('./palette/palette.js');
  palette ??= new Palette({
    showMemory: () => panelDrawer.open(),
    conversations: () => conversations.listLoaded(),
    currentId: () => currentId,
    go: goTo,
    showFact,
  });
  palette.open();
}

function showFact(id) {
  panelDrawer.open();
  panel.revealFact(id);
}

function describeConversation() {
  return { ...chat.conversation, title: findTitle() };
}

function showStatus(status) {
  byId('model').textContent = t('list.model', { model: status.model });
  showStandIn(status.stand_in);
  userId = status.user_id;
  prepareDeletionForm(status);
}

function handleEscape(event) {
  if (event.key !== 'Escape' || event.defaultPrevented || isDialogOpen()) return;
  if (!closeOverChat([listDrawer, panelDrawer])) chat.stop();
}

function noteErased({ detail: messages }) {
  const shown = messages.filter((message) => message.conversation_id === currentId);
  thread.markDeleted(shown.map((message) => message.sequence_number));
  panel.wake();
  refreshList();
}

// What was learned elsewhere, or entered by hand, changes the panel without a word.
function noteEvent(event) {
  panel.wake();
  inStep.note(event);
  const isFact = event.type === 'fact.learned' || event.type === 'fact.replaced';
  const isHere = event.data.conversation_id !== null && event.data.conversation_id === currentId;
  if (isHere && event.type === 'reply.changed') replies.refresh(event.data.sequence);
  if (isFact && isHere) showLearned(event, () => panel.wake());
}

document.addEventListener('keydown', handleEscape);
document.addEventListener('erased', noteErased);
byId('scrim').addEventListener('click', () => closeOverChat([listDrawer, panelDrawer]));

watchAddress(visit);
visit(readAddress()); // first, because the reader waits for it
watchNetwork();
followEvents(noteEvent, () => inStep.catchUp());
prepareOptions().catch(notifyError);
byId('search-open').addEventListener('click', () => openPalette().catch(notifyError));
prepareConversationDialog(describeConversation, { changed: noteChanged, deleted: deleteConversation });
prepareDataDialog(refreshList);
prepareSettingsDialog(() => userId);
prepareShortcuts({ search: () => openPalette().catch(notifyError), newChat: () => byId('list').querySelector('.new-chat').click() });
getStatus().then(showStatus).catch(notifyError);
refreshList();
