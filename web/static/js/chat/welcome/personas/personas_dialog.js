/**
 * The reader's personas, in a dialog of their own.
 *
 * This module is loaded when the dialog is opened for the first time.
 */

import { deletePersona, listPersonas } from '../../../api/personas.js';
import { runAction } from '../../../page/action.js';
import { confirmAction } from '../../../page/dialogs.js';
import { t } from '../../../text/texts.js';
import { LibraryDialog } from '../../library/library_dialog.js';
import { PersonaForm } from './persona_form.js';

/** `changed()` is called when there is another choice for new chats. Returns a LibraryDialog. */
export function createPersonasDialog(changed) {
  return new LibraryDialog('personas', (on) => new PersonaForm(on), { list, remove, changed });
}

async function list() {
  const { personas } = await listPersonas();
  return personas.map((persona) => ({ ...persona, id: persona.persona_id, text: persona.instructions }));
}

async function remove({ id, name }, row) {
  const question = { title: t('personas.delete_title'), text: t('personas.delete_text', { name }), verb: t('library.delete') };
  return (await confirmAction(question)) && runAction(row, () => deletePersona(id));
}
