/** Speaking a message: the browser's own recogniser writes into the box, where there is one. */

import { byId } from '../../page/element.js';
import { announce, notify } from '../../page/notices.js';
import { t } from '../../text/texts.js';

const Recogniser = window.SpeechRecognition ?? window.webkitSpeechRecognition;
// By the recogniser's code. It ends without a word when the reader has stopped it.
const TEXTS = {
  'no-speech': 'voice.silent',
  'not-allowed': 'voice.denied',
  'service-not-allowed': 'voice.denied',
  network: 'voice.network',
};

/** Shows the button where the browser can recognise speech. */
export function prepareVoice(composer) {
  if (Recogniser) new Voice(composer).offer();
}

class Voice {
  #button = byId('voice');
  #composer;
  #recogniser = null; // while it listens
  #before = ''; // the text that the spoken words follow
  #writtenText = ''; // the text that was written into the box last
  #first = 0; // the first of the recogniser's results that follow `#before`

  constructor(composer) {
    this.#composer = composer;
  }

  offer() {
    this.#button.hidden = false;
    this.#button.addEventListener('click', () => (this.#recogniser ? this.#recogniser.stop() : this.#start()));
    byId('composer').addEventListener('sent', () => this.#recogniser?.abort());
  }

  #start() {
    const recogniser = new Recogniser();
    recogniser.lang = document.documentElement.lang;
    recogniser.continuous = true;
    recogniser.interimResults = true;
    recogniser.addEventListener('result', (event) => this.#write(event));
    recogniser.addEventListener('error', ({ error }) => tell(error));
    recogniser.addEventListener('end', () => this.#show(null));
    this.#before = this.#composer.text;
    this.#writtenText = this.#before;
    this.#first = 0;
    recogniser.start();
    this.#show(recogniser);
  }

  // What the reader has typed meanwhile stays, and the next words follow it.
  #write({ results, resultIndex }) {
    if (!this.#recogniser) return;
    if (this.#composer.text !== this.#writtenText) {
      this.#before = this.#composer.text;
      this.#first = resultIndex;
    }
    const spoken = [...results].slice(this.#first).map(([best]) => best.transcript).join('').trim();
    this.#composer.write([this.#before.trimEnd(), spoken].filter(Boolean).join(' '));
    this.#writtenText = this.#composer.text;
  }

  #show(recogniser) {
    this.#recogniser = recogniser;
    const label = t(recogniser ? 'voice.stop' : 'voice.start');
    this.#button.classList.toggle('is-listening', Boolean(recogniser));
    this.#button.ariaLabel = label;
    this.#button.title = label;
    announce(t(recogniser ? 'voice.listening' : 'voice.ended'));
  }
}

function tell(code) {
  if (code === 'aborted') return;
  notify(t(TEXTS[code] ?? 'voice.failed', { code }));
}
