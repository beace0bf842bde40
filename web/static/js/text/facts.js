/** Facts as sentences: “you live in Bergen”. */

import { hasText, t } from './texts.js';
import { formatLastDay } from './times.js';

const TASTE = /^(likes|loves|hates|dislikes|prefers) (.+)$/;
const FAVOURITE = /^favou?rite_/;
const ORDER = /^(?:always|never) /;
const STACKED = /^(allergy|avoid|health|intolerance|medication)_/; // several values have a key each
const TEMPORARY = /^temporary_/; // beside what holds for good
const LATIN = /\p{Script=Latin}/u;
const VALUE = '\u0000';

/**
 * {before, value, after}: the sentence of the API's fact or suggestion, around its value. `isPlain`
 * tells that it is no clause that other words may lead up to.
 */
export function sayFact(fact) {
  const sentence = sayWithoutEnd(fact);
  if (!fact.valid_until) return sentence;
  const day = formatLastDay(`${fact.valid_until}T12:00`);
  return { ...sentence, after: t('fact.until', { fact: sentence.after, day }) };
}

function sayWithoutEnd({ category, key, value }) {
  const taste = category === 'preference' && TASTE.exec(value);
  if (taste) return split(`fact.taste.${taste[1]}`, taste[2]);
  if (isSentence(category, key, value)) return { before: '', value, after: '', isPlain: true };
  const slot = `fact.slot.${(category === 'constraint' && STACKED.exec(key)?.[1]) || key}`;
  if (hasText(slot)) return split(slot, value);
  if (TEMPORARY.test(key)) return sayForNow({ category, key: key.replace(TEMPORARY, ''), value });
  return sayOther(key, value);
}

function sayForNow(fact) {
  const { before, value, after } = sayWithoutEnd(fact);
  const [start, end] = t('fact.for_now', { fact: VALUE }).split(VALUE);
  return { before: start + before, value, after: after + end, isPlain: true };
}

function isSentence(category, key, value) {
  return key.startsWith('statement_') || (category === 'instruction' && ORDER.test(value));
}

// The words of a key that nobody has translated stand in a sentence of their own script only.
function sayOther(key, value) {
  const isForeign = LATIN.test(key) !== LATIN.test(t('fact.any_name', { key: '', value: '' }));
  if (isForeign) return { ...split('fact.any', value, key), isPlain: true };
  if (key.endsWith('_name')) return split('fact.any_name', value, key.slice(0, -'_name'.length));
  if (FAVOURITE.test(key)) return split('fact.any_favourite', value, key);
  return { ...split('fact.any', value, key), isPlain: true };
}

/** The question whether a fact is right. */
export function askFact(fact) {
  return t(sayFact(fact).isPlain ? 'lesson.ask_plain' : 'lesson.ask', { fact: formatFact(fact) });
}

/** The sentence as one text. */
export function formatFact(fact) {
  const { before, value, after } = sayFact(fact);
  return `${before}${value}${after}`;
}

/** The value in a sentence that says the same as the one of `fact` about another value, or null. */
export function readValue(fact, sentence) {
  const { before, after } = sayFact(fact);
  const text = sentence.trim();
  const isSame = before + after !== '' && text.startsWith(capitalize(before)) && text.endsWith(after);
  return isSame ? text.slice(before.length, text.length - after.length).trim() : null;
}

export function capitalize(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

function split(text, value, key = '') {
  const [before, after] = t(text, { value: VALUE, key: key.replaceAll('_', ' ') }).split(VALUE);
  return { before: withoutRepeated(before, value), value, after };
}

/** A value may begin with the words that lead up to it: "you are allergic to" and "allergic to cats". */
function withoutRepeated(before, value) {
  const words = before.split(' ').filter(Boolean);
  const begins = (lead) => lead !== '' && value.toLocaleLowerCase().startsWith(`${lead.toLocaleLowerCase()} `);
  const first = words.findIndex((_, index) => begins(words.slice(index).join(' ')));
  return first < 0 ? before : words.slice(0, first).map((word) => `${word} `).join('');
}
