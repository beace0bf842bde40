/** What a model takes in requests, as the refusals of its server have taught. */

import { formatNumber, hasText, t, tCount } from '../../text/texts.js';

const ANSWER_LIMITS = ['max_tokens', 'max_completion_tokens'];

/** `limits` are the API's. Empty: nothing was refused. */
export function describeLimits({ left_out: leftOut, answer_tokens: answer, context_tokens: context }) {
  const limits = ANSWER_LIMITS.filter((name) => !leftOut.includes(name));
  const parts = leftOut.filter((name) => !ANSWER_LIMITS.includes(name) || !limits.length).map(nameLeftOut);
  if (limits.length === 1) parts.push(limits[0]);
  if (answer) parts.push(t('models.takes.answer', { count: formatNumber(answer) }));
  if (context) parts.push(tCount('models.takes.context', context));
  return parts.length ? t('models.takes', { parts: parts.join(' · ') }) : '';
}

/** `top_p+temperature` stands for the first beside the second. */
function nameLeftOut(part) {
  const [name, other] = part.split('+');
  if (other) return t('models.takes.beside', { name, other });
  const key = `models.takes.no.${name}`;
  return hasText(key) ? t(key) : t('models.takes.no', { name });
}
