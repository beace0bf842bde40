/** The page's sentences: one JSON file, which the server puts into the page. */

const texts = JSON.parse(document.getElementById('texts').textContent);

export const language = document.documentElement.lang;

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/** The sentence for a key, with its {names} filled in. An unknown key shows as itself. */
export function t(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);
}

/** The form of a sentence that goes with a number: `key.one`, `key.other`, …, with {count}. */
export function tCount(key, count) {
  return t(`${key}.${plurals.select(count)}`, { count: numbers.format(count) });
}

export function formatNumber(value) {
  return numbers.format(value);
}

export function has(key) {
  return key in texts;
}
