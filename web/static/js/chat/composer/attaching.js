/** The ways in which files come to the next message. What shows them is loaded with the first. */

import { isDialogOpen } from '../../page/dialogs.js';
import { byId } from '../../page/element.js';
import { notify } from '../../page/notices.js';
import { readStored } from '../../page/storage.js';
import { t } from '../../text/texts.js';

export class Attaching {
  #tray = null; // a FileTray, once there are files
  #owner; // the conversation that the files belong to
  #chat;

  /** A chat of which nothing is stored takes no files. */
  constructor(chat) {
    this.#chat = chat;
    const input = byId('attach-files');
    byId('attach').addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      this.#add([...input.files]);
      input.value = ''; // so that the same file can be chosen again
    });
    byId('message').addEventListener('paste', (event) => this.#handlePaste(event));
    document.addEventListener('dragover', (event) => this.#handleDrag(event));
    document.addEventListener('dragleave', (event) => event.relatedTarget || showDropNote(false));
    document.addEventListener('drop', (event) => this.#handleDrop(event));
  }

  /** Whether there are files that go with the next message. */
  get hasFiles() {
    return Boolean(this.#tray?.files.length);
  }

  /** Tells the reader why the message cannot be sent with its files yet. False: it can be. */
  objects() {
    const reason = this.#chat.isPrivate && this.hasFiles ? 'attach.temporary' : this.#tray?.isBusy && 'attach.wait';
    if (reason) notify(t(reason));
    return Boolean(reason);
  }

  /** Shows the files of the draft of a conversation. */
  async show(owner) {
    this.#owner = owner;
    if (readStored(`files.${owner}`)) await this.#load();
    this.#tray?.show(this.#owner); // the reader may have gone on meanwhile
  }

  /** The files of a message that is sent now. They are no draft any more once it is accepted. */
  take() {
    return this.#tray?.take() ?? [];
  }

  /** The server has stored the message: what is added next belongs to `owner`. */
  accept(owner) {
    this.#owner = owner;
    this.#tray?.accept(owner);
  }

  /** Puts the files of a message back that was not sent. */
  async restore(files, owner = this.#owner) {
    if (files.length) (await this.#load()).restore(files, owner);
  }

  async #add(files) {
    if (!files.length) return;
    if (this.#chat.isPrivate) notify(t('attach.temporary'));
    else (await this.#load()).add(files);
  }

  async #load() {
    const { FileTray } = await import('./attachments/file_tray.js');
    this.#tray ??= new FileTray(this.#owner);
    return this.#tray;
  }

  // What is copied from a table or a text has its picture, too; then the words are meant.
  #handlePaste(event) {
    const { files } = event.clipboardData;
    if (!files.length || event.clipboardData.getData('text/plain')) return;
    event.preventDefault();
    this.#add([...files]);
  }

  #handleDrag(event) {
    if (!event.dataTransfer.types.includes('Files') || isDialogOpen()) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    showDropNote(true);
  }

  #handleDrop(event) {
    showDropNote(false);
    if (!event.dataTransfer.files.length || isDialogOpen()) return;
    event.preventDefault();
    this.#add([...event.dataTransfer.files]);
    byId('message').focus();
  }
}

function showDropNote(isShown) {
  byId('drop-note').hidden = !isShown;
}
