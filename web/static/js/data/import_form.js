/** The import of a file: its upload, its result, and how much of it memory has processed. */

import { findNewestImport, getImport, uploadImport } from '../api/user_data.js';
import { runAction } from '../page/action.js';
import { byId } from '../page/element.js';
import { Polling } from '../page/polling.js';
import { t } from '../text/texts.js';
import { drawReport, isInProgress } from './import_report.js';

/** Returns {startPolling, stopPolling}. `onImported()` is called when an upload has ended. */
export function prepareImportForm(onImported) {
  const fileInput = byId('import-file');
  let shownId = null;

  async function poll() {
    try {
      const report = shownId ? await getImport(shownId) : await findNewestImport();
      if (report) show(report);
      return report !== null && isInProgress(report);
    } catch {
      return true; // tries again later
    }
  }

  function show(report) {
    shownId = report.import_id;
    byId('import-report').replaceChildren(...drawReport(report));
  }

  async function upload() {
    const [file] = fileInput.files;
    if (!file) return;
    showProgress(0);
    try {
      show(await uploadImport(file, showProgress));
    } catch (error) {
      shownId = null; // shows the part of this file that was imported, which is the newest import
      throw error;
    } finally {
      byId('upload').hidden = true;
      fileInput.value = '';
      onImported();
      polling.wake();
    }
  }

  const polling = new Polling(poll);
  fileInput.addEventListener('change', () => runAction(byId('import'), upload));
  return { startPolling: () => polling.start(), stopPolling: () => polling.stop() };
}

/** `share` is from 0 to 1. */
function showProgress(share) {
  byId('upload').hidden = false;
  byId('upload-progress').value = share;
  byId('upload-text').textContent = share < 1
    ? t('data.sending', { percent: Math.floor(share * 100) })
    : t('data.reading');
}
