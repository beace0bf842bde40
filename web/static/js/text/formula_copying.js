/** Selected text goes to the clipboard with each formula as TeX, since its boxes are no text. */

export function copyFormulas(event) {
  const range = selectedRange();
  if (!range) return;
  const copy = elementOf(range.commonAncestorContainer).cloneNode(false);
  copy.append(range.cloneContents());
  const formulas = copy.querySelectorAll('.math:has(annotation)');
  if (!formulas.length) return;
  for (const formula of formulas) formula.replaceWith(sourceOf(formula));
  event.clipboardData.setData('text/plain', textOf(copy, range));
  event.preventDefault();
}

/** What is selected, with whole formulas; null if nothing is. */
function selectedRange() {
  const selection = getSelection();
  if (selection.isCollapsed) return null;
  const range = selection.getRangeAt(0).cloneRange();
  const first = elementOf(range.startContainer).closest('.math');
  const last = elementOf(range.endContainer).closest('.math');
  if (first) range.setStartBefore(first);
  if (last) range.setEndAfter(last);
  return range;
}

function elementOf(node) {
  return node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
}

function sourceOf(formula) {
  const tex = formula.querySelector('annotation').textContent;
  return formula.classList.contains('is-displayed') ? `$$${tex}$$` : `$${tex}$`;
}

/** The text with its lines and paragraphs. A browser knows these of what is on the page only. */
function textOf(copy, range) {
  elementOf(range.commonAncestorContainer).after(copy);
  const text = copy.innerText;
  copy.remove();
  return text;
}
