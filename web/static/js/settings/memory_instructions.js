/** The form for what memory is to note as facts, in the user's own words. */

import { describeError } from '../api/errors.js';
import { getMemoryInstructions, setMemoryInstructions } from '../api/memory.js';
import { byId } from '../page/element.js';
import { t } from '../text/texts.js';

export function prepareMemoryInstructions() {
  const form = byId('memory-instructions');
  const note = byId('memory-instructions-note');
  const { text } = form.elements;
  let isTouched = false; // since the dialog opened: then what was kept comes too late
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    try {
      ({ text: text.value } = await setMemoryInstructions(text.value));
      note.textContent = t('memory_instructions.saved');
    } catch (error) {
      note.textContent = describeError(error);
    }
  });
  text.addEventListener('input', () => {
    isTouched = true;
    note.textContent = '';
  });
  return {
    async refresh() {
      isTouched = false;
      note.textContent = '';
      try {
        const instructions = await getMemoryInstructions();
        if (!isTouched) text.value = instructions.text;
      } catch (error) {
        note.textContent = describeError(error);
      }
    },
  };
}
