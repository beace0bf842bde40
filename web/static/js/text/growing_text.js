/**
 * The end of a text that grows may get another meaning with its next characters: a line of backticks
 * becomes a code block's fence, and an emoji becomes part of another one. Such an end is not drawn
 * until more has come, so that nothing on the page flickers.
 */

const LONGEST_EMOJI = 64; // in UTF-16 units; the longest family or flag has fewer
const FENCE_BEGUN = /^[\t >]*(?:`{1,2}|`{3,}[^`]*|~{1,2}|~{3,}.*)$/;
const EMOJI_BEGUN = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** What can be drawn of a text that grows. */
export function drawablePart(text) {
  const lineStart = text.lastIndexOf('\n') + 1;
  if (FENCE_BEGUN.test(text.slice(lineStart))) return text.slice(0, lineStart);
  return text.slice(0, text.length - openEmojiLength(text));
}

function openEmojiLength(text) {
  const last = [...graphemes.segment(text.slice(-LONGEST_EMOJI))].at(-1)?.segment ?? '';
  return EMOJI_BEGUN.test(last) ? last.length : 0;
}
