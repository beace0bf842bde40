/** The sections that tell how memory works. They are loaded when the reader opens their fold. */

import { createCoverage } from './coverage.js';
import { createJobs } from './jobs.js';
import { createSummary } from './summary.js';

/** See `createSections`. */
export function createFoldedSections({ reveal, wake }) {
  return [createCoverage({ reveal }), createSummary({ reveal }), createJobs({ wake })];
}
