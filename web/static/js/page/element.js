/** Creates and finds DOM nodes. Strings are always added as text, so they cannot become markup. */

import { formatFull, formatTime } from '../text/times.js';

const SVG = 'http://www.w3.org/2000/svg';

/** el('button', {class: 'a', 'aria-label': 'b', onclick: f, hidden: true}, 'text', node, null) */
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(node, name, value);
  node.append(...children.filter((child) => child != null));
  return node;
}

export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** A button that shows an icon only. The label is for screen readers, and is its tooltip. */
export function iconButton(name, label, attributes) {
  return el('button', { type: 'button', title: label, 'aria-label': label, ...attributes }, icon(name));
}

export function timeElement(instant) {
  return el('time', { datetime: instant, title: formatFull(instant) }, formatTime(instant));
}

export function byId(id) {
  return document.getElementById(id);
}

function setAttribute(node, name, value) {
  if (value == null || value === false) return;
  if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
  else node.setAttribute(name, value === true ? '' : value);
}
