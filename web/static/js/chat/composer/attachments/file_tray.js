/** The files of the next message, above its text: each with its progress, and a way to remove it. */

import { deleteFile, uploadFile } from '../../../api/attachments.js';
import { describeError } from '../../../api/errors.js';
import { byId, el, icon, iconButton } from '../../../page/element.js';
import { announce } from '../../../page/notices.js';
import { readStored, store } from '../../../page/storage.js';
import { formatSize, t } from '../../../text/texts.js';
import { iconOf } from './file_list.js';

export class FileTray {
  #owner;
  #turn = Promise.resolve(); // of the last upload: the site reads few files at once
  // By owner: of a conversation that the reader has left, files may still come. An upload knows its
  // list, so lists are changed in place.
  #entries = new Map();
  #list = el('ul', { class: 'tray', 'aria-label': t('attach.files'), hidden: true });

  constructor(owner) {
    byId('composer').prepend(this.#list);
    this.show(owner);
  }

  /** The API's attachments that are ready. */
  get files() {
    return this.#shownEntries.filter(({ file }) => file).map(({ file }) => file);
  }

  get isBusy() {
    return this.#shownEntries.some(({ cancel }) => cancel);
  }

  show(owner) {
    this.#owner = owner;
    this.#entriesFor(owner);
    this.#draw();
  }

  add(chosen) {
    for (const file of chosen) this.#upload(file);
  }

  // The draft in the browser's storage stays until the server has stored the message.
  take() {
    const { files } = this;
    this.#entries.set(this.#owner, []);
    this.#draw();
    return files;
  }

  accept(owner) {
    const waiting = this.#shownEntries;
    this.#entries.delete(this.#owner);
    store(keyOf(this.#owner), '');
    this.#owner = owner;
    this.#entries.set(owner, waiting);
    this.#keep(owner);
  }

  restore(files, owner) {
    const entries = this.#entriesFor(owner);
    const known = new Set(entries.map(({ file }) => file?.attachment_id));
    const lost = files.filter((file) => !known.has(file.attachment_id));
    entries.unshift(...lost.map((file) => this.#entryOf(file)));
    this.#keep(owner);
    this.#draw();
  }

  #entriesFor(owner) {
    if (!this.#entries.has(owner)) this.#entries.set(owner, readDraft(owner).map((file) => this.#entryOf(file)));
    return this.#entries.get(owner);
  }

  get #shownEntries() {
    return this.#entries.get(this.#owner);
  }

  #upload(chosen) {
    const controller = new AbortController();
    const progress = el('progress', { max: '1', 'aria-label': t('attach.uploading', { name: chosen.name }) });
    const entry = this.#createEntry({ name: chosen.name, kind: kindOf(chosen) }, progress);
    const owned = this.#shownEntries;
    entry.cancel = () => controller.abort();
    owned.push(entry);
    this.#draw();
    this.#turn = this.#turn.then(() => this.#send(chosen, { entry, owned, progress, signal: controller.signal }));
  }

  // `owned` are the entries of the conversation in which the file was chosen.
  async #send(chosen, { entry, owned, progress, signal }) {
    try {
      const onProgress = (share) => showProgress(progress, share, chosen.name);
      entry.file = await uploadFile(chosen, { signal, onProgress });
      progress.replaceWith(sizeOf(entry.file));
      announce(t('attach.ready', { name: chosen.name }));
    } catch (error) {
      entry.element.classList.add('is-failed');
      progress.replaceWith(el('span', { class: 'file-note', role: 'alert' }, describeError(error)));
    }
    entry.cancel = null;
    for (const [owner, entries] of this.#entries) if (entries === owned) this.#keep(owner);
    if (signal.aborted && entry.file) deleteFile(entry.file.attachment_id).catch(() => {});
  }

  #entryOf(file) {
    return Object.assign(this.#createEntry(file, sizeOf(file)), { file });
  }

  // {file, element, cancel}: `file` is the API's, once it is there; `cancel` ends an upload.
  #createEntry({ name, kind }, state) {
    const remove = iconButton('close', t('attach.remove', { name }), { class: 'quiet', onclick: () => this.#remove(entry) });
    const element = el('li', { class: 'file' }, icon(iconOf(kind)), el('span', { class: 'file-name', dir: 'auto', title: name }, name), state, remove);
    const entry = { file: null, cancel: null, element };
    return entry;
  }

  #remove(entry) {
    entry.cancel?.();
    this.#shownEntries.splice(this.#shownEntries.indexOf(entry), 1);
    this.#keep(this.#owner);
    this.#draw();
    byId('message').focus();
    if (entry.file) deleteFile(entry.file.attachment_id).catch(() => {}); // the site clears up after a day
  }

  #keep(owner) {
    const files = this.#entries.get(owner).filter(({ file }) => file).map(({ file }) => file);
    store(keyOf(owner), files.length ? JSON.stringify(files) : '');
  }

  #draw() {
    this.#list.replaceChildren(...this.#shownEntries.map(({ element }) => element));
    this.#list.hidden = !this.#shownEntries.length;
  }
}

// When all of it is sent the site reads it, which takes a long document some seconds.
function showProgress(progress, share, name) {
  if (share < 1) {
    progress.value = share;
  } else {
    progress.removeAttribute('value');
    progress.setAttribute('aria-label', t('attach.reading', { name }));
  }
}

function sizeOf(file) {
  return el('span', { class: 'file-note' }, formatSize(file.bytes));
}

// Until the server has looked into it, what the browser makes of its name will do for an icon.
function kindOf(chosen) {
  return chosen.type.startsWith('image/') ? 'image' : 'text';
}

function readDraft(owner) {
  try {
    return JSON.parse(readStored(keyOf(owner)) || '[]');
  } catch {
    return [];
  }
}

function keyOf(owner) {
  return `files.${owner}`;
}
