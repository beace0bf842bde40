/** The page's texts. They are one JSON file, which the server writes into the page. */

const texts = JSON.parse(document.getElementById('texts').textContent);

export const language = document.documentElement.lang;

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

/** The text of a key, with its {placeholders} filled in. An unknown key is returned as it is. */
export function t(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

/** The plural form of a text for a number: `key.one`, `key.other`, … It may contain {count}. */
export function tCount(key, count) {
  return t(`${key}.${plurals.select(count)}`, { count: numbers.format(count) });
}

export function hasText(key) {
  return key in texts;
}

export function formatNumber(value) {
  return numbers.format(value);
}

/** A range of message numbers: `4–9`, or `4`. */
export function formatRange(first, last) {
  return first === last ? `${first}` : `${first}–${last}`;
}
