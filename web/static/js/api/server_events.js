/** Reads `text/event-stream` from a response. EventSource cannot send POST and hides HTTP errors. */

/** Yields {id, name, data}, with `data` parsed as JSON. Skips comments and events without data. */
export async function* serverEvents(response) {
  let rest = '';
  for await (const text of decodeBody(response.body)) {
    const blocks = (rest + text).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event) yield event;
    }
  }
}

export function parseEvent(block) {
  const fields = { event: 'message', data: [] };
  for (const line of block.split('\n')) readField(fields, line);
  if (!fields.data.length) return null;
  return { id: fields.id, name: fields.event, data: JSON.parse(fields.data.join('\n')) };
}

function readField(fields, line) {
  const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
  if (name === 'data') fields.data.push(value);
  else if (name === 'id' || name === 'event') fields[name] = value;
}

// Safari cannot iterate over a stream with `for await`.
async function* decodeBody(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
