/** The operations page. It polls the server, and its sections show the answers. */

import { describeError } from '../js/api/errors.js';
import { getJson } from '../js/api/http.js';
import { byId } from '../js/page/element.js';
import { followLook } from '../js/page/look.js';
import { Polling } from '../js/page/polling.js';
import { t } from '../js/text/texts.js';
import { formatExactClock } from '../js/text/times.js';
import { createAlerts } from './alerts.js';
import { createAuditLog } from './audit_log.js';
import { createDoctor } from './doctor.js';
import { createJobs } from './jobs.js';
import { createQueues } from './queues.js';
import { createRatings } from './ratings.js';
import { createRounds } from './rounds.js';
import { createRunningTimes } from './running_times.js';
import { createStatus } from './status.js';
import { createStuckJobs } from './stuck_jobs.js';
import { createSummaryVersions } from './summary_versions.js';
import { createUsers } from './users.js';
import { createWorkers } from './workers.js';

const DATABASE_INTERVAL_MS = 5000;
const WORKERS_INTERVAL_MS = 15_000; // the server waits a second for the workers' answers

const alerts = createAlerts();
const status = createStatus();
const doctor = createDoctor();
const jobs = createJobs();
const rounds = createRounds();
const users = createUsers();
const workers = createWorkers();
const stuckJobs = createStuckJobs();
const queues = createQueues();
const runningTimes = createRunningTimes();
const ratings = createRatings();
const summaryVersions = createSummaryVersions({ onChange: () => databasePolling.wake() });
const auditLog = createAuditLog();
const databaseSections = [rounds, users, jobs, stuckJobs, queues, runningTimes, ratings, summaryVersions];

const errors = new Map(); // of the last polls that failed, by the name of the poll
const databasePolling = new Polling(() => poll('database', pollDatabase), { intervalMs: DATABASE_INTERVAL_MS });
const workersPolling = new Polling(() => poll('workers', pollWorkers), { intervalMs: WORKERS_INTERVAL_MS });

async function pollDatabase() {
  const look = await getJson('/api/v1/operations/status');
  for (const section of [alerts, status]) section.show(look);
  const [answer, chain] = await Promise.all([
    getJson('/api/v1/operations'),
    getJson('/api/v1/operations/versions', { conversation_id: summaryVersions.conversationId() }),
  ]);
  for (const section of databaseSections) section.show({ ...answer, chain });
}

async function pollWorkers() {
  workers.show(await getJson('/api/v1/operations/workers'));
}

/** Resolves to true, because polling never ends here. */
async function poll(name, work) {
  try {
    await work();
    errors.delete(name);
  } catch (error) {
    errors.set(name, describeError(error));
  }
  showState();
  return true;
}

function showState() {
  const [reason] = errors.values();
  byId('state').textContent = reason
    ? t('operations.failed', { reason })
    : t('operations.seen', { time: formatExactClock(new Date()) });
  byId('state').classList.toggle('is-fault', errors.size > 0);
}

const sections = [
  alerts, doctor, status, rounds, jobs, workers, stuckJobs, queues, users, runningTimes, ratings,
  summaryVersions, auditLog,
];
byId('sections').append(...sections.map((section) => section.element));
followLook();
databasePolling.start();
workersPolling.start();
auditLog.refresh();
