/** Words of texts: which of them a query has, and how they are read in a preview. */

/** Whether a text contains all words of a query, in any order and spelling. */
export function containsWords(text, query) {
  const folded = fold(text);
  return fold(query).split(/\s+/).every((word) => folded.includes(word));
}

/** Lower case without accents and invisible signs, as the server's search reads texts. */
function fold(text) {
  return text.normalize('NFKD').replace(/(?<!и)\u0306|(?![\u0306\u3099\u309a])[\p{Script=Inherited}\p{Cf}\u0591-\u05c7]/giu, '')
    .normalize('NFC').toLowerCase();
}

/** A piece of Markdown without its marks, for previews: **bold**, `code`, # headings, [links](…). */
export function withoutMarks(text) {
  return text
    .replace(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/(\*\*|~~)(?=\S)|(?<=\S)(\*\*|~~)|`+/g, '')
    .replace(/(^|\n) {0,3}#{1,6} /g, '$1');
}
