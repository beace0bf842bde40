/** The page's texts. They are one JSON file, which the server writes into the page. */

const texts = JSON.parse(document.getElementById('texts').textContent);

const language = document.documentElement.lang;

/** For Intl: the page's language as the reader's region writes it, with the digits that the server and message numbers have, too. */
export const locale = `${regionalOf(language, navigator.languages)}-u-nu-latn`;

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
const STEP = 1000;
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(locale);
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** The first of the reader's languages that is a region's form of the page's: `en-GB` for `en`. */
export function regionalOf(tag, languages = []) {
  const form = languages.map((each) => new Intl.Locale(each)).find((each) => each.language === new Intl.Locale(tag).language);
  return form ? form.baseName : tag;
}

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

/** A kind without a text of its own shows its name. */
export function nameJobKind(kind) {
  const key = `jobs.kind.${kind}`;
  return hasText(key) ? t(key) : kind;
}

export function formatNumber(value) {
  return numbers.format(value);
}

/** `12 kB`, `243 bytes` */
export function formatSize(bytes) {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(STEP)));
  const format = new Intl.NumberFormat(locale, {
    style: 'unit', unit: UNITS[step], unitDisplay: step ? 'short' : 'long', maximumSignificantDigits: 3,
  });
  return format.format(bytes / STEP ** step);
}

/** With one decimal. */
export function formatTenths(value) {
  return tenths.format(value);
}

/** A range of message numbers: `4–9`, or `4`. */
export function formatRange(first, last) {
  return first === last ? `${first}` : `${first}–${last}`;
}
