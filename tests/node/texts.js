/** The page's texts, for modules that need nothing else of a page. */

import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../web/static/texts/', import.meta.url);

/** The JSON of a language, as it stands in the page. */
export function readTexts(language) {
  return readFileSync(new URL(`${language}.json`, FOLDER), 'utf8');
}

/** Opens a page in a language that has its texts and nothing else. */
export function openTexts(language = 'en') {
  globalThis.document = {
    documentElement: { lang: language },
    getElementById: () => ({ textContent: readTexts(language) }),
  };
}

openTexts();
