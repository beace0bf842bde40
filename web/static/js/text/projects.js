/** Names of projects, and what moving a chat to one does, in sentences. */

import { t, tCount } from './texts.js';

const MAX_CHARS = 60; // the server's limit
const PATTERN = '[^\\/]*[^\\/.\\s][^\\/]*'; // no slash, and no dots alone

/** The id of the button that opens a project. It has no blanks, whatever the name has. */
export function idOf(name) {
  return `project-${encodeURIComponent(name)}`;
}

/** Attributes of a field for a name. */
export function rulesOfNames() {
  return { maxlength: `${MAX_CHARS}`, pattern: PATTERN, title: t('projects.rule') };
}

/** `preview` is the API's: what becomes of what was learned. Empty where nothing changes. */
export function describeMove({ changes_memory: isOther, from_memory: from, to_memory: to, facts_moved: moved, facts_kept: stays }) {
  if (!isOther) return '';
  return [
    sayWhere(from, to),
    moved ? tCount('projects.move.goes', moved) : '',
    stays ? tCount('projects.move.stays', stays) : '',
  ].filter(Boolean).join(' ');
}

// Null is the memory that all other chats share.
function sayWhere(from, to) {
  if (to === null) return t('projects.move.out', { project: from });
  return from === null ? t('projects.move.in', { project: to }) : t('projects.move.between', { from, project: to });
}
