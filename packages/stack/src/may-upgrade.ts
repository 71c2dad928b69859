// Entry of `npm run may-upgrade`: succeeds only while the upgrade window of the running server is open, so that a nightly
// `npm run may-upgrade && git pull && npm ci` obeys what the operator set in the console.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type Endpoint, endpoints, type RequestOf, type ResponseOf } from '@srs-stack/contract';
import { dataFolder, envFilePath, loadEnvironment } from './environment.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const dataDir = dataFolder(process.env, checkout);
const { MGMT_PASSWORD: password, PLATFORM_LISTEN: listen = '' } = loadEnvironment(process.env, dataDir);

try {
  if (!password) throw new Error(`no admin password in ${envFilePath(dataDir)}; open the console and set one first`);
  const { token } = await call(endpoints.login, { password });
  const { isOpen, opensAt, closesAt, liveStreams } = await call(endpoints.queryUpgradeWindow, { token });
  const live = `${liveStreams} live stream${liveStreams === 1 ? '' : 's'} would be interrupted`;
  if (!isOpen) throw new Error(`the upgrade window is closed, it opens ${opensAt}`);
  console.log(`The upgrade window is open until ${closesAt}; ${live}.`);
} catch (error) {
  console.error(`No upgrade now: ${(error as Error).message}.`);
  process.exit(1);
}

/** Posts to the control plane where it listens: a Unix socket, or `host:port`. */
async function call<E extends Endpoint>(endpoint: E, body: RequestOf<E>): Promise<ResponseOf<E>> {
  const target = listen.includes('/') ? { socketPath: listen } : { host: '127.0.0.1', port: listen.split(':').at(-1) };
  const answer = await new Promise<string>((resolve, reject) => {
    const outgoing = request({ ...target, path: endpoint.path, method: 'POST' });
    outgoing.once('error', () => reject(new Error('the server is not running')));
    outgoing.once('response', (response) => {
      text(response).then(
        (body) => (response.statusCode === 200 ? resolve(body) : reject(new Error(refusalText(body)))),
        () => reject(new Error('the server has gone away')),
      );
    });
    outgoing.end(JSON.stringify(body));
  });
  return endpoint.response.parse(JSON.parse(answer).data) as ResponseOf<E>;
}

/** The message of a failure envelope; the answer itself when it is none. */
function refusalText(answer: string): string {
  try {
    return JSON.parse(answer).data.message;
  } catch {
    return answer;
  }
}
