/** Two buttons that rate a reply. The pressed one takes the rating back. */

import { el, iconButton } from '../../page/element.js';
import { t } from '../../text/texts.js';

const RATINGS = ['up', 'down'];

export class RatingButtons {
  element;
  #buttons;

  /** `onRate(rating | null)` is called for a click. */
  constructor(onRate) {
    this.#buttons = RATINGS.map((rating) => iconButton(`thumb-${rating}`, t(`rating.${rating}`), {
      class: 'quiet rate',
      'aria-pressed': 'false',
      onclick: ({ currentTarget }) => onRate(currentTarget.ariaPressed === 'true' ? null : rating),
    }));
    this.element = el('div', { class: 'ratings', role: 'group', 'aria-label': t('rating.label') }, ...this.#buttons);
  }

  show(rating) {
    this.#buttons.forEach((button, index) => {
      button.ariaPressed = String(RATINGS[index] === rating);
    });
  }
}
