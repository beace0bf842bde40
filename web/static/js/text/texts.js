/** The page's texts. They are one JSON file, which the server writes into the page. */

const texts = JSON.parse(document.getElementById('texts').textContent);

const language = document.documentElement.lang;

/** For Intl: the page's language, with the digits that the server and message numbers have, too. */
export const locale = `${language}-u-nu-latn`;

const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(locale);
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The text of a key, with its {placeholders} filled in. An unknown key is returned as it is. */
export function t(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

/**
 * The plural form of a text for a number: `key.one`, `key.other`, … It may contain {count}. A form
 * that a language does without is its `other`.
 */
export function tCount(key, count) {
  const form = `${key}.${plurals.select(count)}`;
  return t(hasText(form) ? form : `${key}.other`, { count: numbers.format(count) });
}

export function hasText(key) {
  return key in texts;
}

export function formatNumber(value) {
  return numbers.format(value);
}

/** With one decimal. */
export function formatTenths(value) {
  return tenths.format(value);
}

/** A range of message numbers: `4–9`, or `4`. */
export function formatRange(first, last) {
  return first === last ? `${first}` : `${first}–${last}`;
}
