/** The palette's commands. Most press a button that is on the page anyway. */

import { t } from '../text/texts.js';

/** [{label, run}]. `on.current()` is the open conversation, {id}, null for none; `on.showMemory()` shows the panel. */
export function listCommands(on) {
  const press = (selector) => () => document.querySelector(selector).click();
  const commands = [
    { label: t('command.new'), run: press('.new-chat') },
    { label: t('command.memory'), run: on.showMemory },
    on.current().id && { label: t('command.conversation'), run: press('#conversation-open') },
    { label: t('archive.title'), run: press('#archive-open') },
    { label: t('prompts.title'), run: press('#prompts-open') },
    { label: t('command.settings'), run: press('[data-opens-dialog="settings"]') },
    { label: t('command.data'), run: press('[data-opens-dialog="data"]') },
    document.querySelector('#operations-link') && { label: t('command.operations'), run: press('#operations-link') },
    { label: t('command.shortcuts'), run: press('[data-opens-dialog="shortcuts"]') },
  ];
  return commands.filter(Boolean);
}
