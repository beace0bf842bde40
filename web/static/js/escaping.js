/** Text as HTML that shows it. */

export function escape(text) {
  const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text.replace(/[&<>"']/g, (mark) => marks[mark]);
}
