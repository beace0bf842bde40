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
  #deleted = {}; // {chatId, id} of the branch that was open when its chat was deleted

  constructor(chat, { composer, conversations, thread }) {
    this.#chat = chat;
    this.#composer = composer;
    this.#conversations = conversations;
    this.#thread = thread;
    this.#deletions = new Deletions('deleting.', {
      request: deleteConversation,
      hidden: (chatId) => this.#hide(chatId),
      restored: (chatId) => this.#restore(chatId),
      deleted: (chatId, receipt) => this.#forget(chatId, receipt),
      failed: notifyError,
      describe: (chatId) => t('conversation.deleted', { title: conversations.nameOf(chatId) }),
    });
  }

  /** Shows a new chat for no id, a conversation, or a message of it. The address is that already. */
  async visit({ id, sequence }) {
    Drawer.closeOverChat();
    if (this.#deletions.isPending(this.#conversations.chatOf(id))) this.#leaveDeleted(id);
    else if (id === null) this.#chat.startNew();
    else if (id !== this.#chat.id || sequence === null) await this.#chat.open(id, sequence);
    if (this.#deletions.isPending(this.#chat.chatId)) this.#leaveDeleted(id); // a branch that the list did not know
    if (this.#chat.id !== id) return; // it was not found, or the reader has gone on
    if (sequence !== null) this.#thread.reveal(sequence);
    else this.#composer.focusWithMouse();
  }

  goTo({ id, sequence = null }) {
    setAddress({ id, sequence });
    return this.visit({ id, sequence });
  }

  /** Deletes a conversation, with all its chat, after a while, in which it can be undone. */
  delete(id) {
    const start = (choices) => this.#deletions.start(this.#conversations.chatOf(id), choices);
    return confirmDeletion(id, this.#conversations.nameOf(id), start).catch(notifyError);
  }

  /** Carries out what earlier pages have begun to delete. */
  resume() {
    this.#deletions.resume();
  }

  #hide(chatId) {
    this.#conversations.hide(chatId);
    if (chatId === this.#chat.chatId) this.#leaveDeleted(this.#chat.id);
  }

  // Another tab may be deleting it.
  #leaveDeleted(id) {
    const chatId = this.#conversations.chatOf(id);
    this.#deleted = { chatId, id };
    this.#chat.close();
    this.#composer.focus();
    this.#deletions.offerUndo(chatId);
  }

  #restore(chatId) {
    this.#conversations.unhide(chatId);
    const { chatId: deletedId, id } = this.#deleted;
    if (chatId === deletedId && this.#chat.id === null) this.goTo({ id }); // otherwise the reader has gone on
  }

  #forget(chatId, receipt) {
    if (receipt?.replies_left || receipt?.messages) tellDeletion(receipt).catch(notifyError);
    const { chatId: deletedId, id } = this.#deleted;
    for (const branchId of [chatId, this.#conversations.branchOf(chatId)]) this.#composer.forget(branchId);
    if (chatId === deletedId) this.#composer.forget(id);
    this.#conversations.remove(chatId);
    if (chatId === this.#chat.chatId) this.#chat.close();
  }
}
