/** Words of texts: which of them a query has, and how they are read in a preview. */

/** Whether a text contains all words of a query, in any order. */
export function containsWords(text, query) {
  const lower = text.toLowerCase();
  return query.toLowerCase().split(/\s+/).every((word) => lower.includes(word));
}

/** A piece of Markdown without its marks, for previews: **bold**, `code`, # headings, [links](…). */
export function withoutMarks(text) {
  return text
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/(\*\*|~~)(?=\S)|(?<=\S)(\*\*|~~)|`+/g, '')
    .replace(/(^|\n) {0,3}#{1,6} /g, '$1');
}
