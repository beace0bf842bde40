/** The files of a project, in its settings: each with a button to remove it, and one to add more. */

import { attachmentPath, deleteFile, uploadFile } from '../../api/attachments.js';
import { addProjectFile, deleteProjectFile } from '../../api/projects.js';
import { runAction } from '../../page/action.js';
import { el } from '../../page/element.js';
import { announce } from '../../page/notices.js';
import { formatSize, t } from '../../text/texts.js';

export class ProjectFiles {
  #name;
  #list;
  #input = el('input', { type: 'file', multiple: true, hidden: true, 'aria-label': t('projects.files.add') });
  #button = el('button', { type: 'button', class: 'action', onclick: () => this.#input.click() }, t('projects.files.add'));
  /** Where they are shown. */
  element;

  /** `files` are the API's of the project `name`. What is changed here is stored at once. */
  constructor(name, files) {
    const heading = el('h3', { id: 'project-files' }, t('projects.files'));
    this.#name = name;
    this.#list = el('ul', { class: 'waiting-files', 'aria-labelledby': heading.id }, ...files.map((file) => this.#draw(file)));
    this.#input.addEventListener('change', () => this.#addAll());
    this.element = el('section', { 'aria-labelledby': heading.id },
      heading, el('p', { class: 'about' }, t('projects.files.about')), this.#list, this.#input, this.#button);
  }

  async #addAll() {
    const chosen = [...this.#input.files];
    this.#input.value = ''; // so that the same file can be chosen again
    await runAction(this.element, async () => {
      for (const file of chosen) await this.#add(file);
    });
  }

  async #add(file) {
    const progress = el('progress', { max: '1', 'aria-label': t('attach.uploading', { name: file.name }) });
    const row = el('li', {}, el('span', { dir: 'auto' }, file.name), progress);
    this.#list.append(row);
    try {
      const added = await this.#store(file, (share) => {
        progress.value = share;
      });
      this.#list.append(this.#draw(added));
      announce(t('projects.files.added', { name: file.name }));
    } finally {
      row.remove();
    }
  }

  async #store(file, onProgress) {
    const { attachment_id: id } = await uploadFile(file, { signal: new AbortController().signal, onProgress });
    try {
      return await addProjectFile(this.#name, id);
    } catch (error) {
      deleteFile(id).catch(() => {}); // the site clears up after a day
      throw error;
    }
  }

  #draw({ attachment_id: id, name, bytes }) {
    const onclick = () => runAction(row, () => this.#remove(id, row));
    const row = el('li', {},
      el('a', { href: attachmentPath(id), target: '_blank', rel: 'noopener', dir: 'auto' }, name), formatSize(bytes),
      el('button', { type: 'button', class: 'action', 'aria-label': t('attach.remove', { name }), onclick }, t('waiting_files.remove')));
    return row;
  }

  async #remove(id, row) {
    await deleteProjectFile(this.#name, id);
    const next = (row.nextElementSibling ?? row.previousElementSibling)?.querySelector('button');
    row.remove();
    (next ?? this.#button).focus();
  }
}
