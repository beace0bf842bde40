/** A button that runs the jobs of one kind again, and what went wrong. */

import { describeError } from '../api/errors.js';
import { runJob } from '../api/memory.js';
import { el } from '../page/element.js';
import { createButton } from './parts.js';

/** `wake()` updates the whole panel. */
export class RunButton {
  /** Of the conversation that is open, and of a kind of job. */
  id = null;
  kind = null;
  #button = createButton('jobs.run_again', () => this.#run());
  #problem = el('p', { class: 'problem', role: 'alert', hidden: true });
  #wake;

  constructor({ wake }) {
    this.#wake = wake;
  }

  get elements() {
    return [this.#button, this.#problem];
  }

  setHidden(isHidden) {
    this.#button.hidden = isHidden;
  }

  async #run() {
    this.#button.disabled = true;
    this.#problem.hidden = true;
    try {
      await runJob(this.id, this.kind);
    } catch (error) {
      this.#problem.textContent = describeError(error);
      this.#problem.hidden = false;
    } finally {
      this.#button.disabled = false;
      this.#wake();
    }
  }
}
