// Lists the live streams, or disconnects a publisher, by the HTTP API. No dependencies.
//
//   API_SECRET=$(npm run --silent secret) node streams.mjs
//   API_SECRET=… node streams.mjs kick live/livestream
//
// SERVER is the address of the server, by default http://localhost:2022. docs/reference/api.md describes all calls.
const server = process.env.SERVER ?? 'http://localhost:2022';

/** Posts one call and returns its data. Throws with the error message of the server when the call is refused. */
async function call(path, body = {}) {
  const response = await fetch(`${server}/terraform/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.API_SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { data } = await response.json();
  if (!response.ok) throw new Error(`${path}: ${data.message}`);
  return data;
}

async function list() {
  const { streams } = await call('mgmt/streams/query');
  for (const { app, stream } of streams) console.log(`${app}/${stream}`);
  if (streams.length === 0) console.log('nothing is live');
}

async function kick(name) {
  const { streams } = await call('mgmt/streams/query');
  const found = streams.find(({ app, stream }) => `${app}/${stream}` === name);
  if (!found) throw new Error(`${name} is not live`);
  const { vhost, app, stream } = found;
  await call('mgmt/streams/kickoff', { vhost, app, stream });
  console.log(`${name} was disconnected`);
}

const [command, name] = process.argv.slice(2);
try {
  await (command === 'kick' ? kick(name) : list());
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
