/** The dialog about all of a user's data: import, export, the end of it all. */

import { prepareDialog } from '../dialogs.js';
import { prepareImport } from './importing.js';

/** `onImported()` is told when conversations have come. */
export function prepareDataDialog(onImported) {
  const importing = prepareImport(onImported);
  const dialog = prepareDialog('data', importing.look);
  dialog.addEventListener('close', importing.rest);
}
