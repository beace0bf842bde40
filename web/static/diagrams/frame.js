/**
 * Draws one diagram, in a frame that has no origin and no network. The page shows the SVG as an
 * image, where nothing in it can run or load anything.
 *
 * This is a classic script: modules are not loaded where there is no origin.
 */

const FONT = 'system-ui, sans-serif';
const PALETTES = {
  light: {
    background: '#f3f1ea',
    mainBkg: '#e3efe9',
    primaryColor: '#e3efe9',
    secondaryColor: '#fff',
    tertiaryColor: '#fbfaf6',
    primaryBorderColor: '#1c6b5a',
    primaryTextColor: '#1d211f',
    lineColor: '#5f645f',
    noteBkgColor: '#fff',
    noteBorderColor: '#b7791f',
    noteTextColor: '#1d211f',
    edgeLabelBackground: '#f3f1ea',
    pie1: '#9cc9ba',
    pie2: '#e6c98f',
    pie3: '#c2bbe6',
    pie4: '#eab2a5',
    pieStrokeColor: '#5f645f',
    pieOuterStrokeColor: '#5f645f',
  },
  dark: {
    background: '#0f1211',
    mainBkg: '#1a2f2a',
    primaryColor: '#1a2f2a',
    secondaryColor: '#1b201f',
    tertiaryColor: '#131716',
    primaryBorderColor: '#6cc7ae',
    primaryTextColor: '#e7e9e4',
    lineColor: '#9ba39e',
    noteBkgColor: '#1b201f',
    noteBorderColor: '#dba54a',
    noteTextColor: '#e7e9e4',
    edgeLabelBackground: '#0f1211',
    pie1: '#2f6a5b',
    pie2: '#7d5f24',
    pie3: '#574d8f',
    pie4: '#7d3e33',
    pieStrokeColor: '#9ba39e',
    pieOuterStrokeColor: '#9ba39e',
  },
};
// Of these a diagram's own text may set nothing.
const SETTINGS = {
  startOnLoad: false,
  securityLevel: 'strict',
  suppressErrorRendering: true,
  logLevel: 'fatal',
  maxTextSize: 10_000,
  maxEdges: 150,
  theme: 'base',
  themeCSS: '',
  fontFamily: FONT,
  htmlLabels: false, // an image shows no HTML
  dompurifyConfig: {},
};
const MAX_WORDS_CHARS = 300;
const SPACE = /\s+/g;

window.addEventListener('message', ({ source, origin, data, ports }) => {
  // This frame's own origin is opaque, but its address is the site's.
  if (source === window.parent && origin === window.location.origin) answer(ports[0], data);
});

async function answer(port, { text, scheme }) {
  try {
    port.postMessage(await draw(text, scheme));
  } catch {
    port.postMessage({ problem: globalThis.mermaid ? 'mistake' : 'unreachable' });
  }
}

async function draw(text, scheme) {
  const { mermaid } = globalThis;
  mermaid.initialize({
    ...SETTINGS,
    secure: ['secure', 'themeVariables', ...Object.keys(SETTINGS)],
    themeVariables: { ...PALETTES[scheme], fontFamily: FONT, darkMode: scheme === 'dark' },
  });
  const { svg } = await mermaid.render('diagram', text);
  const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  const { width, height } = root.viewBox.baseVal;
  root.setAttribute('width', width);
  root.setAttribute('height', height);
  root.style.maxWidth = '';
  return { svg: new XMLSerializer().serializeToString(root), width, height, words: wordsOf(root) };
}

/** What the author says that it shows, otherwise the words in it. */
function wordsOf(root) {
  const described = root.querySelectorAll(':scope > title, :scope > desc');
  const places = described.length ? described : root.querySelectorAll('text');
  const words = [...places].map((place) => place.textContent.trim().replace(SPACE, ' '));
  return [...new Set(words.filter(Boolean))].join(', ').slice(0, MAX_WORDS_CHARS);
}
