/** Importing a file: how much of it is sent, what came of it, how far memory has come with it. */

import { attempt } from '../attempt.js';
import { byId } from '../element.js';
import { Polling } from '../polling.js';
import { t } from '../texts.js';
import { findNewestImport, getImport, uploadImport } from './data_api.js';
import { drawImport, isUnderWay } from './import_report.js';

/** `look()` while the dialog is open, `rest()` after; `onImported()` when conversations have come. */
export function prepareImport(onImported) {
  const picker = byId('import-file');
  const section = byId('import');
  let shownId = null;

  const polling = new Polling(async () => {
    try {
      const made = shownId ? await getImport(shownId) : await findNewestImport();
      if (made) show(made);
      return made !== null && isUnderWay(made);
    } catch {
      return true; // a passing fault; what is shown stays
    }
  });

  function show(made) {
    shownId = made.import_id;
    byId('import-report').replaceChildren(...drawImport(made));
  }

  async function upload() {
    const [file] = picker.files;
    if (!file) return;
    showUpload(0);
    try {
      show(await uploadImport(file, showUpload));
    } catch (error) {
      shownId = null; // what was imported before the break is the newest
      throw error;
    } finally {
      byId('upload').hidden = true;
      picker.value = '';
      onImported();
      polling.wake();
    }
  }

  picker.addEventListener('change', () => attempt(section, upload));
  return { look: () => polling.start(), rest: () => polling.stop() };
}

function showUpload(share) {
  byId('upload').hidden = false;
  byId('upload-progress').value = share;
  byId('upload-text').textContent = share < 1
    ? t('data.sending', { percent: Math.floor(share * 100) })
    : t('data.reading');
}
