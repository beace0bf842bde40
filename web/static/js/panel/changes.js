/** What of the panel an event may have changed. */

/** The kinds of what the panel reads of the open conversation. */
export const OF_CONVERSATION = ['jobs', 'summaries'];

/** The kinds of all that it reads. */
export const KINDS = ['facts', 'suggestions', 'tidying', 'episodes', ...OF_CONVERSATION];

const BY_EVENT = {
  'fact.learned': ['facts', 'suggestions', 'tidying'],
  'fact.replaced': ['facts', 'suggestions', 'tidying'],
  'fact.suggested': ['suggestions'],
  'episode.closed': ['episodes', 'summaries'],
  'job.failed': ['jobs'],
};

const BY_JOB = {
  facts: ['facts', 'suggestions', 'jobs'], // it may also have forgotten something
  tidying: ['facts', 'tidying', 'jobs'],
  episode: ['episodes', 'summaries', 'jobs'],
  summary: ['summaries', 'jobs'],
  title: ['jobs'],
};

/** `event` is one of the API's, `chat` the open one. */
export function listChanged({ type, data }, chat) {
  const isOpen = chat.id !== null && data.conversation_id === chat.id;
  const kinds = listKinds(type, data, chat);
  return isOpen ? kinds : kinds.filter((kind) => !OF_CONVERSATION.includes(kind));
}

function listKinds(type, data, chat) {
  if (type === 'job.changed') return data.running ? ['jobs'] : BY_JOB[data.kind] ?? KINDS;
  if (type === 'conversation.changed' && chat.mayWrite(data)) return [];
  return BY_EVENT[type] ?? KINDS;
}
