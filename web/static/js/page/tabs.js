/** Tabs as ARIA's pattern has them: arrow keys, Home and End move among them, and each shows its panel at once. */

import { byId } from './element.js';

/** `list` is the element with the role of a tablist. `onShow()` is called when another tab is shown. */
export function prepareTabs(list, onShow) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];

  function show(chosen) {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      byId(tab.getAttribute('aria-controls')).hidden = !isChosen;
    }
    onShow();
  }

  list.addEventListener('click', ({ target }) => {
    const tab = target.closest('[role="tab"]');
    if (tab) show(tab);
  });
  list.addEventListener('keydown', (event) => {
    const shown = tabs.filter((tab) => !tab.hidden);
    const place = placeAfter(event.key, shown.indexOf(event.target), shown.length);
    if (place === null) return;
    event.preventDefault();
    show(shown[place]);
    shown[place].focus();
  });
}

/** Where a key leads to from a place among `count`, or null. Arrows point as the page is read. */
function placeAfter(key, place, count) {
  const onwards = document.documentElement.dir === 'rtl' ? -1 : 1;
  switch (key) {
    case 'ArrowRight': return (place + onwards + count) % count;
    case 'ArrowLeft': return (place - onwards + count) % count;
    case 'Home': return 0;
    case 'End': return count - 1;
    default: return null;
  }
}
