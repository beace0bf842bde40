/** Which prompts a query finds. */

import { containsWords } from '../../../text/words.js';

/** First those whose name begins with the query, then those with its words in the name, then in the text. */
export function findPrompts(prompts, query) {
  const begins = ({ name }) => name.toLowerCase().startsWith(query.toLowerCase());
  const tests = [
    begins,
    ({ name }) => containsWords(name, query),
    ({ name, text }) => containsWords(`${name} ${text}`, query),
  ];
  return [...new Set(tests.flatMap((test) => prompts.filter((prompt) => test(prompt))))];
}
