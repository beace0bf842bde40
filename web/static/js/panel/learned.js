/** A quiet notice of what was just learned, with a way to take it back. */

import { describeError } from '../api/errors.js';
import { deleteFact, undoReplacement } from '../api/memory.js';
import { notify } from '../page/notices.js';
import { t } from '../text/texts.js';
import { formatKey } from './parts.js';

/** `event` is the API's `fact.learned` or `fact.replaced`. `onUndone()` is called after an undo. */
export function showLearned({ type, data }, onUndone) {
  const { fact, fact_id: id } = data;
  if (!fact) return; // deleted meanwhile
  const text = t('learned.text', { key: formatKey(fact.key), value: fact.value });
  const undo = async () => {
    notice.dismiss();
    try {
      await (type === 'fact.replaced' ? undoReplacement(id) : deleteFact(id));
      onUndone();
    } catch (error) {
      notify(describeError(error));
    }
  };
  const notice = notify(text, { action: { label: t('learned.undo'), run: undo } });
}
