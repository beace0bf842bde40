/** The import of a file: its upload, its result, and how much of it memory has processed. */

import { runJob } from '../api/memory.js';
import { findNewestImport, getImport, uploadImport } from '../api/user_data.js';
import { runAction } from '../page/action.js';
import { byId } from '../page/element.js';
import { Polling } from '../page/polling.js';
import { t } from '../text/texts.js';
import { drawReport, isInProgress } from './import_report.js';

/** Returns {startPolling, stopPolling}. `onImported()` is called when an upload has ended. */
export function prepareImportForm(onImported) {
  const fileInput = byId('import-file');
  let shown = null; // the API's import
  let toldError = ''; // of the upload, which its import repeats

  async function poll() {
    try {
      const report = shown ? await getImport(shown.import_id) : await findNewestImport();
      if (report) show(report);
      return report !== null && isInProgress(report);
    } catch {
      return true; // tries again later
    }
  }

  function show(report) {
    shown = report;
    replaceReport(drawReport(report, { toldError, runAgain }));
  }

  async function runAgain() {
    if (await runAction(byId('import-report'), () => runFailed(shown))) polling.wake();
  }

  async function upload() {
    const [file] = fileInput.files;
    if (!file) return;
    shown = null; // meanwhile the newest import is shown, which is the one that runs
    toldError = '';
    showProgress(0, polling);
    try {
      const withBranches = byId('import-branches').checked;
      show(await uploadImport(file, { withBranches, onProgress: (share) => showProgress(share, polling) }));
    } catch (error) {
      toldError = error.serverMessage;
      throw error;
    } finally {
      byId('upload').hidden = true;
      fileInput.value = '';
      onImported();
      polling.wake();
    }
  }

  const polling = new Polling(poll);
  const start = () => runAction(byId('import'), upload);
  fileInput.addEventListener('change', start);
  if (fileInput.files.length) start(); // it was chosen while this was loaded
  return { startPolling: () => polling.start(), stopPolling: () => polling.stop() };
}

// The report is drawn anew at each poll, so the focus and what is opened are carried over.
function replaceReport(nodes) {
  const place = byId('import-report');
  const hadFocus = document.activeElement?.id === 'import-again';
  const openIds = [...place.querySelectorAll('details[open]')].map(({ id }) => id);
  place.replaceChildren(...nodes);
  for (const id of openIds) byId(id)?.setAttribute('open', '');
  if (hadFocus) byId('import-again')?.focus();
}

async function runFailed({ failed_jobs: jobs }) {
  for (const { conversation_id: id, kind } of jobs) await runUnlessDone(id, kind);
}

// Meanwhile a job may wait again, or there may be nothing left to do.
async function runUnlessDone(id, kind) {
  try {
    await runJob(id, kind);
  } catch (error) {
    if (!['job_in_progress', 'nothing_to_do', 'not_found'].includes(error.code)) throw error;
  }
}

/** `share` of the file is sent, from 0 to 1. Its import is followed from then on. */
function showProgress(share, polling) {
  if (share === 1) polling.wake();
  byId('upload').hidden = false;
  byId('upload-progress').value = share;
  byId('upload-text').textContent = share < 1
    ? t('data.sending', { percent: Math.floor(share * 100) })
    : t('data.reading');
}
