/** Shows code blocks of the language `mermaid` as diagrams, with their source one click away. */

import { el } from '../../../page/element.js';
import { t } from '../../../text/texts.js';
import { draw } from './drawing.js';

const MAX_SOURCE_CHARS = 10_000;
const PASSING = ['slow', 'unreachable']; // problems that another try may be without
const LEAST_SCALE = 0.6; // on a narrow screen; smaller letters could not be read
const dark = matchMedia('(prefers-color-scheme: dark)');
const diagrams = new WeakMap(); // by box

// Those that are far away are drawn when the reader comes near.
const nearness = new IntersectionObserver(
  (entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => begin(target)),
  { root: document.getElementById('scroller'), rootMargin: '100% 0px' },
);

dark.addEventListener('change', drawAllAnew);
document.addEventListener('look', drawAllAnew);

/** Draws the diagram of a `code` in its box. */
export function showDiagram(code) {
  const box = code.closest('.code-frame');
  diagrams.set(box, new Diagram(box, code));
  nearness.observe(box);
}

function begin(box) {
  nearness.unobserve(box);
  diagrams.get(box).draw();
}

function drawAllAnew() {
  for (const box of document.querySelectorAll('.code-frame:has(.diagram)')) diagrams.get(box).draw();
}

function currentScheme() {
  return document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light');
}

class Diagram {
  #box;
  #code;
  #pre;
  #place = null; // of the image, once there is one
  #problem = null; // the line that says why there is none
  #scheme = null; // that was drawn last

  constructor(box, code) {
    this.#box = box;
    this.#code = code;
    this.#pre = code.parentElement;
  }

  async draw() {
    const text = this.#code.textContent;
    const scheme = currentScheme();
    if (scheme === this.#scheme) return;
    this.#scheme = scheme;
    const isWanted = () => this.#box.isConnected && scheme === this.#scheme;
    const drawn = text.length > MAX_SOURCE_CHARS ? { problem: 'too_large' } : await draw(text, scheme, isWanted);
    if (scheme !== this.#scheme) return; // a newer drawing is on its way
    if (!drawn || PASSING.includes(drawn.problem)) this.#scheme = null; // it may be drawn later
    if (!drawn) nearness.observe(this.#box);
    else if (drawn.problem) this.#explain(drawn.problem);
    else this.#show(drawn);
  }

  /** A diagram that was drawn before stays, in its colours. */
  #explain(problem) {
    if (this.#place) return;
    const again = el('button', { type: 'button', class: 'action', onclick: () => this.draw() }, t('reply.retry'));
    const line = el('p', { class: 'diagram-problem', dir: 'auto' }, t(`diagram.${problem}`));
    if (PASSING.includes(problem)) line.append(' ', again);
    this.#problem?.remove();
    this.#problem = line;
    this.#box.append(line);
  }

  #show({ svg, width, height, words }) {
    const isWaitedFor = this.#problem?.contains(document.activeElement);
    this.#problem?.remove();
    const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    const alt = words ? t('diagram.alt', { words }) : t('diagram.label');
    const image = el('img', { src: address, alt, width, height });
    image.style.minWidth = `${width * LEAST_SCALE}px`;
    const forget = () => URL.revokeObjectURL(address);
    image.addEventListener('load', forget);
    image.addEventListener('error', forget);
    if (!this.#place) this.#makePlace();
    this.#place.replaceChildren(image);
    if (isWaitedFor) this.#place.focus();
  }

  #makePlace() {
    const label = t('diagram.label');
    this.#place = el('div', { class: 'diagram', tabindex: '0', role: 'region', 'aria-label': label });
    const buttons = [
      this.#button(label, true),
      this.#button(t('diagram.source'), false),
    ];
    this.#box.querySelector('.code-bar > span').after(
      el('div', { class: 'diagram-views', role: 'group', 'aria-label': t('diagram.views') }, ...buttons),
    );
    this.#box.append(this.#place);
    this.#choose(!this.#isSourceRead());
  }

  #button(label, showsDiagram) {
    return el('button', { type: 'button', onclick: () => this.#choose(showsDiagram) }, label);
  }

  #choose(showsDiagram) {
    this.#place.hidden = !showsDiagram;
    this.#pre.hidden = showsDiagram;
    const [ofDiagram, ofSource] = this.#box.querySelectorAll('.diagram-views > button');
    ofDiagram.setAttribute('aria-pressed', showsDiagram);
    ofSource.setAttribute('aria-pressed', !showsDiagram);
  }

  /** What the reader has selected, or scrolls by keys, does not vanish. */
  #isSourceRead() {
    const { isCollapsed, anchorNode } = getSelection();
    const isSelected = !isCollapsed && this.#pre.contains(anchorNode);
    return isSelected || this.#pre === document.activeElement;
  }
}
