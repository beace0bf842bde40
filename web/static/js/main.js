/** Creates the parts of the page and connects them. */

import { deleteConversation, getStatus, getTrace } from './api/chat.js';
import { describeError, isAbort } from './api/errors.js';
import { followEvents } from './api/events.js';
import { Chat } from './chat/chat.js';
import { Composer } from './chat/composer/composer.js';
import { MessageQueue } from './chat/composer/queue.js';
import { prepareVoice } from './chat/composer/voice.js';
import { prepareHeader, showChips, showTitle } from './chat/header/header.js';
import { InStep } from './chat/in_step.js';
import { Lessons } from './chat/messages/lessons.js';
import { readNewer, readOlder } from './chat/messages/message_pages.js';
import { Thread } from './chat/messages/thread.js';
import { prepareModelSetup, showModel } from './chat/models/model_setup.js';
import { ReplyChanges } from './chat/replies/reply_changes.js';
import { beginInFolder, prepareOptions, readOptions, resetOptions } from './chat/welcome/chat_options.js';
import { prepareExamples, showFirstVisit } from './chat/welcome/first_visit.js';
import { awaitTitle } from './list/await_title.js';
import { Conversations } from './list/conversations.js';
import { confirmDeletion, openErasure, openPalette, openShareDialog, prepareDialogs, tellDeletion } from './on_demand.js';
import { addressOf, readAddress, setAddress, watchAddress } from './page/address.js';
import { tellIfHidden } from './page/attention.js';
import { prepareBrowser } from './page/browser.js';
import { Deletions } from './page/deletions.js';
import { isDialogOpen } from './page/dialogs.js';
import { Drawer, closeOverChat } from './page/drawers.js';
import { byId } from './page/element.js';
import { notifyError, wayOut } from './page/failures.js';
import { watchForgetting } from './page/forgetting.js';
import { announce, notify } from './page/notices.js';
import { prepareShortcuts } from './page/shortcuts.js';
import { Forgettings } from './panel/forgettings.js';
import { Panel } from './panel/panel.js';
import { t } from './text/texts.js';

const thread = new Thread({
  older: (before) => readOlder(chat.place, before),
  newer: (after) => readNewer(chat.place, after),
  openAt: (sequence) => chat.openAt(sequence),
  reached: (message) => chat.resume(message),
  retry: (sequence) => chat.retry(sequence),
  goOn: (sequence) => chat.goOn(sequence),
  edit: sendEdit,
  erase: (sequence, role) => openErasure(currentId, sequence, role).catch(notifyError),
  trace: (sequence) => getTrace(chat.place.id, sequence, chat.place.signal),
  rate: (sequence, rating) => replies.rate(sequence, rating),
  turn: (sequence, variant) => replies.turn(sequence, variant),
  drawn: (element) => lessons.attach(element),
  failed: notifyError,
});

const lessons = new Lessons(thread, { changed: () => panel.wake(), failed: notifyError });

const composer = new Composer({
  send: (message, files) => chat.send(message, readOptions(), files),
  stop: () => chat.stop(),
  queue: (message, files) => queue.add(message, files),
  editNewest: () => !chat.isTemporary && thread.editNewest(), isPrivate,
});

const queue = new MessageQueue({
  send: (message, files, key) => chat.send(message, readOptions(), files, key), open: (id) => goTo({ id, sequence: null }),
  restore: (message, files) => composer.restore(message, files), isPrivate, isLive: () => chat.isLive,
});

const chat = new Chat(thread, {
  shown: showConversation, started: noteStarted,
  live: (isLive) => composer.setLive(isLive),
  ended: noteEnded, refused: restoreMessage,
  arrived: (sent) => composer.settle({ ...sent, id: sent.id ?? 'new' }),
  changed: noteChanged,
  failed: noteFailed,
});

const replies = new ReplyChanges(chat, noteFailed);
const inStep = new InStep(chat, { currentId: () => currentId, refreshList });
const conversations = new Conversations({ failed: notifyError, remove: (id) => removeConversation(id), changed: (id, changes) => id === currentId && chat.conversation && noteChanged(changes), begin: (folder) => beginInFolder(folder, () => goTo({ id: null, sequence: null })) });
const deletions = new Deletions('deleting.', { request: deleteConversation, hidden: hideConversation, restored: restoreConversation, deleted: forgetConversation, failed: notifyError, describe: (id) => t('conversation.deleted', { title: conversations.nameOf(id) }) });
const removeConversation = (id) => confirmDeletion(id, conversations.nameOf(id), (choices) => deletions.start(id, choices)).catch(notifyError);
const forgettings = new Forgettings({ changed: () => panel.wake(), deleted: (receipt) => (receipt ? tellDeletion(receipt).catch(notifyError) : panel.wake()), failed: notifyError });
const panel = new Panel({ reveal: revealMessage, onSettled: () => { lessons.refresh({ announces: true }); return refreshList(); }, onChanged: () => lessons.refresh(), forgettings, show: () => { closeOverChat([listDrawer]); panelDrawer.open(); } });
const listDrawer = new Drawer('list', { opensAtFirst: true });
const panelDrawer = new Drawer('panel', { onChange: (isOpen) => panel.setVisible(isOpen) });

let userId = null; // until the server has told it
let currentId = null; // of the open conversation; null for a new chat
let deletedId = null; // of a conversation that was open when it was deleted

// The same conversation may be shown again at another place; then its draft and panel stay.
function showConversation(conversation, isLive) {
  const id = conversation?.conversation_id ?? null;
  const isOther = id !== currentId || id === null;
  currentId = id;
  byId('welcome').hidden = Boolean(conversation);
  if (!conversation) resetOptions();
  if (isOther) composer.show(id);
  lessons.open(id);
  queue.show(id, isLive);
  conversations.select(id, conversation);
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
  if (chat.conversation?.archived) noteChanged({ ...chat.conversation, archived: false }); // it is back in the list
  refreshList();
}

function beginConversation(conversation) {
  setAddress({ id: conversation.conversation_id }, { replace: currentId === null });
  currentId = conversation.conversation_id;
  byId('welcome').hidden = true;
  conversations.select(currentId, conversation);
  lessons.open(currentId);
  showChips(conversation);
  panel.open(conversation);
}

function noteEnded(reply) {
  announce(reply.ending);
  const ended = currentId;
  tellIfHidden({ heading: findTitle(), isWhole: reply.isWhole, address: addressOf(ended), open: () => ended === currentId || goTo({ id: ended, sequence: null }) });
  panel.setLive(-1);
  inStep.catchUpMissed();
  lessons.refresh({ announces: true });
  awaitTitle(chat.conversation, { conversations, refreshList, isOver: (id) => currentId !== id || chat.isLive });
  queue.settle(reply.isWhole);
}

async function sendEdit(sequence, text) {
  composer.focus();
  await chat.edit(sequence, text);
  lessons.refresh(); // what the old words taught is gone
}

// The reader may have gone on to another chat.
function restoreMessage(sent, error) {
  if ((sent.id ?? null) === currentId) queue.takeBack();
  composer.restoreFor(sent);
  if (!isAbort(error)) notify(t('notice.not_sent', { reason: describeError(error) }), wayOut(error));
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
  showFirstVisit(conversations.isEmpty);
  if (currentId) showTitle(findTitle());
}

// The list may not have loaded an old conversation, or an archived one.
function findTitle() {
  return conversations.titleOf(currentId) ?? chat.conversation?.title;
}

function revealMessage(sequence) {
  closeOverChat([panelDrawer]);
  thread.reveal(sequence);
}

async function visit({ id, sequence }) {
  closeOverChat([listDrawer, panelDrawer]);
  if (deletions.isPending(id)) leaveDeleted(id);
  else if (id === null) chat.startNew();
  else if (id !== currentId || sequence === null) await chat.open(id, sequence);
  if (currentId !== id) return; // it was not found, or the reader has gone on
  if (sequence !== null) thread.reveal(sequence);
  else composer.focusWithMouse();
}

/** `changes` is {conversation_id?, title?, mode?, model?, archived?}: what the server has now. */
function noteChanged({ conversation_id: id = currentId, ...changes }) {
  conversations.update(id, changes);
  if (id !== currentId) return; // the reader has gone on
  chat.update(changes);
  showChips(chat.conversation);
  showTitle(findTitle());
  panel.setMode(chat.conversation.mode);
}

function hideConversation(id) {
  conversations.hide(id);
  if (id === currentId) leaveDeleted(id);
}

// Another tab may be deleting it.
function leaveDeleted(id) {
  deletedId = id;
  leaveConversation();
  composer.focus();
  deletions.offerUndo(id);
}

function restoreConversation(id) {
  conversations.unhide(id);
  if (id !== deletedId || currentId !== null) return; // the reader has gone on
  setAddress({ id });
  visit({ id, sequence: null });
}

function forgetConversation(id, receipt) {
  if (receipt?.replies_left || receipt?.messages) tellDeletion(receipt).catch(notifyError);
  composer.forget(id);
  queue.forget(id);
  conversations.remove(id);
  if (id === currentId) leaveConversation();
}

function goTo(target) {
  setAddress(target);
  visit(target);
}

function openSearch() {
  openPalette({
    showMemory: () => panelDrawer.open(),
    conversations: () => conversations.listLoaded(),
    currentId: () => currentId,
    go: goTo, showFact,
  }).catch(notifyError);
}

function showFact(id) {
  panelDrawer.open();
  panel.revealFact(id);
}

function describeConversation() {
  return { ...chat.conversation, title: findTitle() };
}

function showStatus(status) {
  showModel(status);
  userId = status.user_id;
}

function handleEscape(event) {
  if (event.key !== 'Escape' || event.defaultPrevented || isDialogOpen()) return;
  if (!closeOverChat([listDrawer, panelDrawer])) chat.stop();
}

function noteErased({ detail: messages }) {
  const shown = messages.filter((message) => message.conversation_id === currentId);
  thread.markDeleted(shown.map((message) => message.sequence_number));
  panel.wake();
  lessons.refresh();
  refreshList();
}

// What was learned elsewhere, or entered by hand, changes the panel without a word.
function noteEvent(event) {
  if (inStep.isLeaving) return;
  panel.wake();
  inStep.note(event);
  const isHere = event.data.conversation_id !== null && event.data.conversation_id === currentId;
  if (isHere && event.type === 'reply.changed') replies.refresh(event.data.sequence);
  if (isHere && event.type.startsWith('fact.')) lessons.refresh({ announces: true });
}

document.addEventListener('keydown', handleEscape);
document.addEventListener('erased', noteErased);
byId('scrim').addEventListener('click', () => closeOverChat([listDrawer, panelDrawer]));

watchAddress(visit);
for (const erasures of [forgettings, deletions]) erasures.resume(); // first, because what is being deleted is not opened
visit(readAddress()).then(() => queue.tellElsewhere()); // then, because the reader waits for it,
refreshList(); // and for the list: a browser asks for six things at a time
prepareBrowser();
followEvents(noteEvent, () => inStep.catchUp());
prepareExamples((example) => composer.offer(example));
prepareVoice(composer);
prepareOptions({ changed: () => showChips(chat.conversation), failed: notifyError }).catch(notifyError);
byId('search-open').addEventListener('click', openSearch);
prepareHeader(describeConversation, { changed: noteChanged, failed: notifyError });
watchForgetting();
prepareDialogs({ userId: () => userId, isTemporary: () => chat.isTemporary, conversation: describeConversation }, {
  changed: noteChanged, deleted: removeConversation, share: (conversation) => openShareDialog(conversation).catch(notifyError), imported: refreshList, failed: notifyError,
});
prepareShortcuts({ search: openSearch, newChat: () => byId('list').querySelector('.new-chat').click() });
prepareModelSetup({ changed: () => showChips(chat.conversation), failed: notifyError });
getStatus().then(showStatus).catch(notifyError);
