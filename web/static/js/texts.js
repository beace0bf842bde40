/** The page's sentences: one JSON file, which the server puts into the page. */

const texts = JSON.parse(document.getElementById('texts').textContent);

export const language = document.documentElement.lang;

/** The sentence for a key, with its {names} filled in. An unknown key shows as itself. */
export function t(key, values = {}) {
  return (texts[key] ?? key).replace(/\{(\w+)\}/g, (hole, name) => values[name] ?? hole);
}

export function has(key) {
  return key in texts;
}
