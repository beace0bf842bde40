/** Servers of models that run on the site's machine, offered where no real model answers yet. */

import { listProviders } from '../../api/models.js';
import { runAction } from '../../page/action.js';
import { byId, el } from '../../page/element.js';
import { t } from '../../text/texts.js';
import { describeTest, tryAndAdd, welcomeFirst } from './model_trial.js';

const MOST_NAMES = 4;
const FIRST_MODEL = { offered: true, chat_default: true, memory_default: true };

/** Shows in the banner what runs. `on` is as in `welcomeFirst`. */
export async function offerRunning(on) {
  const frame = byId('stand-in-running');
  const running = (await listProviders()).filter(({ models }) => models.length);
  const result = el('div', { class: 'model-test', role: 'status' });
  const use = ({ protocol, address }, name) => runAction(frame, async () => {
    result.replaceChildren(el('p', {}, t('models.testing')));
    const trial = await tryAndAdd({ protocol, address, served_name: name }, { ...FIRST_MODEL, name });
    if (trial.model) await welcomeFirst(trial.result, on);
    else result.replaceChildren(describeTest(trial.result, () => {}));
  }).then((isDone) => isDone || result.replaceChildren());
  frame.replaceChildren(...running.map((server) => el('p', {},
    t('models.running', { server: server.name, names: server.models.join(', ') }), ' ',
    ...server.models.slice(0, MOST_NAMES).map((name) => el('button', {
      type: 'button', class: 'action is-main', onclick: () => use(server, name),
    }, server.models.length > 1 ? t('models.use_one', { name }) : t('models.use'))))), result);
}
