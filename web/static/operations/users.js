/** The users who have used the most today. */

import { formatNumber } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

export function createUsers() {
  const table = createTable('users', ['user', 'rounds', 'tokens', 'searches']);
  return {
    element: createSection('users', table.element),
    show({ users }) {
      table.show(users.map(({ user_id: id, rounds, tokens, searches }) => (
        [id, formatNumber(rounds), formatNumber(tokens), formatNumber(searches)])));
    },
  };
}
