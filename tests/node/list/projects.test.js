/** What is in a project is asked for once, whichever comes first: the projects or the open chat. */

import '../page.js';
import assert from 'node:assert/strict';
import test from 'node:test';

const { Projects } = await import('../../../web/static/js/list/projects/projects.js');
const SEA = { name: 'Sea', count: 1 };

/** Projects of which no page comes before `answer()`, and the names that were asked for. */
function makeProjects(revealed) {
  const names = [];
  const answers = [];
  const load = ({ project }, take) => new Promise((resolve) => {
    names.push(project);
    answers.push(() => {
      take({ next_cursor: null });
      resolve();
    });
  });
  const answer = () => Promise.all(answers.splice(0).map((each) => each()));
  return { projects: new Projects(revealed, { load, draw: () => {} }), names, answer };
}

test('the open chat is known before the projects', async () => {
  const { projects, names, answer } = makeProjects('Sea');
  const shown = projects.show([SEA]);
  projects.reveal('Sea');
  await answer();
  await shown;
  projects.reveal('Sea');
  assert.deepEqual(names, ['Sea']);
});

test('the open chat is known between the creation of the projects and their names', async () => {
  const { projects, names, answer } = makeProjects(null);
  projects.reveal('Sea');
  const shown = projects.show([SEA]);
  await answer();
  await shown;
  assert.deepEqual(names, ['Sea']);
});

test('the open chat is known after the projects', async () => {
  const { projects, names, answer } = makeProjects(null);
  await projects.show([SEA]);
  const revealed = projects.reveal('Sea');
  await answer();
  await revealed;
  assert.deepEqual(names, ['Sea']);
});

test('projects that are shown again are read again', async () => {
  const { projects, names, answer } = makeProjects('Sea');
  for (const time of [1, 2]) {
    const shown = projects.show([SEA]);
    await answer();
    await shown;
    assert.equal(names.length, time);
  }
});
