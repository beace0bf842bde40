/** Search in what is on the page already. */

/** Whether a text contains all words of a query, in any order. */
export function containsWords(text, query) {
  const lower = text.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}
