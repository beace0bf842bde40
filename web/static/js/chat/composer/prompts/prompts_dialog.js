/** The reader's prompts, in a dialog of their own. A deleted one can be brought back while it is open. */

import { addPrompt, deletePrompt, listPrompts } from '../../../api/prompts.js';
import { runAction } from '../../../page/action.js';
import { el } from '../../../page/element.js';
import { t } from '../../../text/texts.js';
import { LibraryDialog } from '../../library/library_dialog.js';
import { PromptForm } from './prompt_form.js';

export class PromptsDialog {
  #library = new LibraryDialog('prompts', (on) => new PromptForm(on), {
    list: async () => (await listPrompts()).prompts.map((prompt) => ({ ...prompt, id: prompt.prompt_id })),
    remove: ({ id }, row) => runAction(row, () => deletePrompt(id)),
    changed: (removed) => this.#showUndo(removed),
  });
  #undo = el('div', { class: 'library-undo', role: 'status' });

  constructor() {
    this.#library.element.querySelector('.tokens').before(this.#undo);
  }

  /** Resolves when it is closed again. */
  async open() {
    this.#showUndo(null);
    const closed = new Promise((resolve) => {
      this.#library.element.addEventListener('close', resolve, { once: true });
    });
    await this.#library.open();
    await closed;
  }

  #showUndo(removed) {
    this.#undo.replaceChildren();
    if (!removed) return;
    const { name, text } = removed;
    const bringBack = async () => {
      if (await runAction(this.#undo, () => addPrompt({ name, text }))) this.#library.noteChange();
    };
    const button = el('button', { type: 'button', class: 'action', onclick: bringBack }, t('conversation.undo'));
    this.#undo.append(el('p', { dir: 'auto' }, t('conversation.deleted', { title: name })), button);
    button.focus();
  }
}
