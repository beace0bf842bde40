/** Creates the parts of the page and connects them. Most of them listen to the open chat. */

import { getStatus } from './api/chat.js';
import { Composer } from './chat/composer/composer.js';
import { MessageQueue } from './chat/composer/queue.js';
import { prepareVoice } from './chat/composer/voice.js';
import { Header } from './chat/header/header.js';
import { InStep } from './chat/in_step.js';
import { Lessons } from './chat/messages/lessons.js';
import { Thread } from './chat/messages/thread.js';
import { prepareModelSetup, showModel } from './chat/models/model_setup.js';
import { OpenChat } from './chat/open_chat.js';
import { Rounds } from './chat/replies/rounds.js';
import { beginInProject, loadAnswerers, prepareOptions } from './chat/welcome/chat_options.js';
import { prepareWelcome, showFirstVisit } from './chat/welcome/first_visit.js';
import { Conversations } from './list/conversations.js';
import { openPalette, openProject, prepareDialogs, tellDeletion } from './on_demand.js';
import { readAddress, watchAddress } from './page/address.js';
import { prepareBrowser } from './page/browser.js';
import { Drawer } from './page/drawers.js';
import { byId } from './page/element.js';
import { notifyError } from './page/failures.js';
import { watchForgetting } from './page/forgetting.js';
import { prepareShortcuts } from './page/shortcuts.js';
import { Forgettings } from './panel/forgettings.js';
import { Panel } from './panel/panel.js';
import { Visits } from './visits.js';

let userId = null; // until the server has told it

// An event of the chat comes to its listeners in the order in which they are created here.
const chat = new OpenChat();
const thread = new Thread(chat, {
  retry: (sequence) => rounds.retry(sequence),
  goOn: (sequence) => rounds.goOn(sequence),
  edit: sendEdit,
});
const rounds = new Rounds(chat, thread);
const conversations = new Conversations(chat, {
  failed: notifyError,
  remove: (id) => visits.delete(id),
  begin: (project) => beginInProject(project, () => visits.goTo({ id: null })),
  editProject,
});
const header = new Header(chat, { titleOf: (id) => conversations.titleOf(id), open: (id) => visits.goTo({ id }), editProject });
const showChips = () => header.showChips();
const lessons = new Lessons(chat, thread, () => panel.wake());
const forgettings = new Forgettings({
  changed: () => panel.wake(),
  deleted: (receipt) => (receipt ? tellDeletion(receipt).catch(notifyError) : panel.wake()),
  failed: notifyError,
});
const panel = new Panel(chat, { reveal, onSettled: noteSettled, onChanged: () => lessons.refresh(), forgettings, show: showPanel });
const inStep = new InStep(chat, thread, () => conversations.refresh());
prepareOptions(chat, showChips);
prepareWelcome(chat, (example) => composer.offer(example));
const queue = new MessageQueue(chat, rounds, (id) => visits.goTo({ id }));
const composer = new Composer(chat, { rounds, thread, queue }); // last, because it may begin another round at the end of one
const visits = new Visits(chat, { composer, conversations, thread });
new Drawer('list', { opensAtFirst: true });
const panelDrawer = new Drawer('panel', { onChange: (isOpen) => panel.setVisible(isOpen) });

function sendEdit(sequence, text) {
  composer.focus();
  rounds.edit(sequence, text);
}

function editProject(name) {
  openProject(name, (project, before) => conversations.noteProject(project, before)).catch(notifyError);
}

function noteSettled() {
  lessons.refresh({ announces: true });
  return conversations.refresh();
}

function reveal(sequence) {
  Drawer.closeOverChat();
  thread.reveal(sequence);
}

function showPanel() {
  Drawer.closeOverChat();
  panelDrawer.open();
}

function showFact(id) {
  panelDrawer.open();
  panel.revealFact(id);
}

// What was learned elsewhere, or entered by hand, changes the panel without a word.
function noteEvent(event) {
  panel.note(event);
  lessons.note(event);
}

function catchUp() {
  panel.catchUp();
  lessons.refresh();
}

function openSearch() {
  openPalette({
    showMemory: () => panelDrawer.open(),
    conversations: () => conversations.listLoaded(),
    current: () => ({ id: chat.id, project: chat.conversation?.project ?? null }),
    go: (place) => visits.goTo(place), showFact,
  }).catch(notifyError);
}

function showStatus(status) {
  showModel(status);
  userId = status.user_id;
}

conversations.on('listed', () => {
  showFirstVisit(conversations.isEmpty);
  header.showTitle();
});
conversations.on('moved', () => panel.wake());
byId('scrim').addEventListener('click', () => Drawer.closeOverChat());

watchAddress((place) => visits.visit(place));
for (const erasures of [forgettings, visits]) erasures.resume(); // first, because what is being deleted is not opened
visits.visit(readAddress()).then(() => queue.tellElsewhere()); // then, because the reader waits for it,
conversations.refresh(); // and for the list: a browser asks for six things at a time
prepareBrowser();
inStep.follow(noteEvent, catchUp);
prepareVoice(composer);
loadAnswerers().then(showChips).catch(notifyError);
byId('search-open').addEventListener('click', openSearch);
watchForgetting();
prepareDialogs(chat, header, { userId: () => userId, imported: () => conversations.refresh(), remove: (id) => visits.delete(id) });
prepareShortcuts({
  search: openSearch,
  newChat: () => byId('list').querySelector('.new-chat').click(),
  escape: () => Drawer.closeOverChat() || rounds.stop(),
});
prepareModelSetup(showChips, { chat, thread, rounds });
getStatus().then(showStatus).catch(notifyError);
