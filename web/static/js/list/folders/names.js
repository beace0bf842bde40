/** Names of folders. */

import { t } from '../../text/texts.js';

const MAX_CHARS = 60; // the server's limit
const PATTERN = '[^\\/]*[^\\/.\\s][^\\/]*'; // no slash, and no dots alone

/** The id of the button that opens a folder. It has no blanks, whatever the name has. */
export function idOf(name) {
  return `folder-${encodeURIComponent(name)}`;
}

/** Attributes of a field for a name. */
export function rulesOfNames() {
  return { maxlength: `${MAX_CHARS}`, pattern: PATTERN, title: t('folders.rule') };
}
