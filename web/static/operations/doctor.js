/** The checks of `throughline doctor`, run when the operator asks, and what they say to be copied. */

import { sendJson } from '../js/api/http.js';
import { runAction } from '../js/page/action.js';
import { copyText } from '../js/page/copy_button.js';
import { el } from '../js/page/element.js';
import { formatNumber, t } from '../js/text/texts.js';
import { createSection, createTable } from './section.js';

const ORDER = ['problem', 'ok', 'skipped'];
const INDENT = 2;

export function createDoctor() {
  const checks = createTable('doctor', ['check', 'state', 'finding', 'advice']);
  const settings = createTable('settings', ['setting', 'value', 'source']);
  const summary = el('summary', { id: 'settings-title' });
  const details = el('details', { hidden: true }, summary, settings.element);
  const outcome = el('p', { 'aria-live': 'polite' });
  const run = el('button', { type: 'button', class: 'quiet' }, t('operations.doctor.run'));
  const copy = el('button', { type: 'button', class: 'quiet', hidden: true }, t('operations.doctor.copy'));
  const buttons = el('div', { class: 'filters' }, run, copy);
  const element = createSection('doctor', buttons, outcome, checks.element, details);
  let report = null;

  function show() {
    checks.show(sortChecks(report.checks).map(drawCheck));
    settings.show(sortSettings(report.settings).map(drawSetting));
    summary.textContent = t('operations.settings', { count: formatNumber(report.settings.length) });
    outcome.textContent = t(report.healthy ? 'operations.doctor.healthy' : 'operations.doctor.unhealthy');
    details.hidden = false;
    copy.hidden = false;
  }

  run.addEventListener('click', () => runAction(element, async () => {
    outcome.textContent = t('operations.doctor.running');
    try {
      report = await (await sendJson('POST', '/api/v1/operations/doctor')).json();
      show();
    } catch (error) {
      outcome.textContent = '';
      throw error;
    }
  }));
  copy.addEventListener('click', async () => {
    const isCopied = await copyText(JSON.stringify(report, null, INDENT));
    outcome.textContent = t(isCopied ? 'copy.done' : 'copy.failed');
  });
  return { element };
}

/** Problems first, then what is in order; otherwise in the order of the checks. */
function sortChecks(checks) {
  return ORDER.flatMap((status) => checks.filter((check) => check.status === status));
}

/** What somebody has set first. */
function sortSettings(settings) {
  const isDefault = ({ source }) => source === 'default';
  return [...settings.filter((setting) => !isDefault(setting)), ...settings.filter(isDefault)];
}

function drawCheck({ check, status, says, advice }) {
  return [
    el('code', {}, check),
    el('span', { class: `state is-${status}` }, t(`operations.doctor.${status}`)),
    inEnglish(says),
    inEnglish(advice),
  ];
}

function drawSetting({ name, value, source }) {
  return [el('code', {}, name), inEnglish(value), inEnglish(source)];
}

/** As the command says it, and as it is copied. */
function inEnglish(text) {
  return el('span', { lang: 'en', dir: 'ltr' }, text);
}
