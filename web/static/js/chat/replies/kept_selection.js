/** Keeps what the reader has selected while an element gets other nodes with the same text. */

export function keepSelection(element, change) {
  const selection = getSelection();
  const { anchorNode, anchorOffset, focusNode, focusOffset, isCollapsed } = selection;
  const isAffected = !isCollapsed && (element.contains(anchorNode) || element.contains(focusNode));
  if (!isAffected) {
    change();
    return;
  }
  const findAnchor = remember(element, anchorNode, anchorOffset);
  const findFocus = remember(element, focusNode, focusOffset);
  change();
  selection.setBaseAndExtent(...findAnchor(), ...findFocus());
}

/** Returns a function that finds the same place again. */
function remember(element, node, offset) {
  if (!element.contains(node)) return () => [node, offset];
  const before = document.createRange();
  before.setStart(element, 0);
  before.setEnd(node, offset);
  const length = before.toString().length;
  return () => placeAt(element, length);
}

/** The text node at so many characters from the element's beginning, and the rest of them. */
function placeAt(element, length) {
  let rest = length;
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    if (rest <= texts.currentNode.length) return [texts.currentNode, rest];
    rest -= texts.currentNode.length;
  }
  return [element, element.childNodes.length];
}
