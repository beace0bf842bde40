/** The part of the settings for theme, text size and language. Each choice holds at once. */

import { writeCookie } from '../page/cookies.js';
import { confirmAction } from '../page/dialogs.js';
import { byId } from '../page/element.js';
import { readLook, setLook } from '../page/look.js';
import { t } from '../text/texts.js';

/** `isTemporary()` tells whether a temporary chat is open. */
export function prepareLookForm(isTemporary) {
  const form = byId('look');
  const { value: language } = form.elements.language;
  form.addEventListener('change', async ({ target: { name, value } }) => {
    if (name === 'language' && isTemporary() && !(await confirmEnd())) form.elements.language.value = language;
    else if (name === 'language') changeLanguage(value);
    else if (name in readLook()) setLook(name, value);
  });
  document.addEventListener('look', () => show(form));
  show(form);
}

function confirmEnd() {
  return confirmAction({ title: t('language.ends_title'), text: t('language.about'), verb: t('language.change') });
}

// All texts come with the page.
function changeLanguage(language) {
  writeCookie('language', language);
  window.location.reload();
}

function show(form) {
  for (const [name, value] of Object.entries(readLook())) form.elements[name].value = value;
}
