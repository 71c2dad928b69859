// An example of your own service: it authorizes publishers and receives the events of the server. No dependencies.
//
//   ALLOW=lobby,stage PORT=8000 node callback-receiver.mjs
//
// Then set the target http://127.0.0.1:8000/events in the console, Settings → Callback. docs/reference/callbacks.md describes every event.
import { createServer } from 'node:http';

const allowed = new Set((process.env.ALLOW ?? 'livestream').split(','));
/** Maximum body, bytes: longer than any event. */
const maxBodyBytes = 64 * 1024;

/** Returns the response to an event: code 0 admits a publisher, any other code refuses it. */
function judge(event) {
  if (event.action !== 'on_publish') return { code: 0 };
  return allowed.has(event.stream) ? { code: 0 } : { code: 1, msg: `nobody may publish ${event.stream}` };
}

async function readJson(request) {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += chunk;
    if (text.length > maxBodyBytes) throw new Error('too long');
  }
  return JSON.parse(text);
}

const server = createServer(async (request, response) => {
  try {
    const event = await readJson(request);
    const answer = judge(event);
    console.log(`${event.action} ${event.app ?? ''}/${event.stream ?? ''} → ${answer.code}`);
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(400).end(`${error.message}\n`);
  }
});
server.listen(Number(process.env.PORT ?? 8000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}/events`);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());
