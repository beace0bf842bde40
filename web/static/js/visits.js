/** Which chat the reader sees: that of the address, one that is opened here, or a new one in place of one that is deleted. */

import { deleteConversation } from './api/chat.js';
import { confirmDeletion, tellDeletion } from './on_demand.js';
import { setAddress } from './page/address.js';
import { Deletions } from './page/deletions.js';
import { Drawer } from './page/drawers.js';
import { notifyError } from './page/failures.js';
import { t } from './text/texts.js';

export class Visits {
  #chat;
  #composer;
  #conversations;
  #thread;
  #deletions;
  #deletedId = null; // of a conversation that was open when it was deleted

  constructor(chat, { composer, conversations, thread }) {
    this.#chat = chat;
    this.#composer = composer;
    this.#conversations = conversations;
    this.#thread = thread;
    this.#deletions = new Deletions('deleting.', {
      request: deleteConversation,
      hidden: (id) => this.#hide(id),
      restored: (id) => this.#restore(id),
      deleted: (id, receipt) => this.#forget(id, receipt),
      failed: notifyError,
      describe: (id) => t('conversation.deleted', { title: conversations.nameOf(id) }),
    });
  }

  /** Shows a new chat for no id, a conversation, or a message of it. The address is that already. */
  async visit({ id, sequence }) {
    Drawer.closeOverChat();
    if (this.#deletions.isPending(id)) this.#leaveDeleted(id);
    else if (id === null) this.#chat.startNew();
    else if (id !== this.#chat.id || sequence === null) await this.#chat.open(id, sequence);
    if (this.#chat.id !== id) return; // it was not found, or the reader has gone on
    if (sequence !== null) this.#thread.reveal(sequence);
    else this.#composer.focusWithMouse();
  }

  goTo({ id, sequence = null }) {
    setAddress({ id, sequence });
    return this.visit({ id, sequence });
  }

  /** Deletes a conversation after a while, in which it can be undone. */
  delete(id) {
    const start = (choices) => this.#deletions.start(id, choices);
    return confirmDeletion(id, this.#conversations.nameOf(id), start).catch(notifyError);
  }

  /** Carries out what earlier pages have begun to delete. */
  resume() {
    this.#deletions.resume();
  }

  #hide(id) {
    this.#conversations.hide(id);
    if (id === this.#chat.id) this.#leaveDeleted(id);
  }

  // Another tab may be deleting it.
  #leaveDeleted(id) {
    this.#deletedId = id;
    this.#chat.close();
    this.#composer.focus();
    this.#deletions.offerUndo(id);
  }

  #restore(id) {
    this.#conversations.unhide(id);
    if (id === this.#deletedId && this.#chat.id === null) this.goTo({ id }); // otherwise the reader has gone on
  }

  #forget(id, receipt) {
    if (receipt?.replies_left || receipt?.messages) tellDeletion(receipt).catch(notifyError);
    this.#composer.forget(id);
    this.#conversations.remove(id);
    if (id === this.#chat.id) this.#chat.close();
  }
}
