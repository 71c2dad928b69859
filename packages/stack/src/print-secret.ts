// Entry of `npm run secret`: prints the API secret for scripts, asked from the running server with the admin password
// in `config/.env`. Who may read that file owns the server anyway.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { dataFolder, envFilePath, loadEnvironment } from './environment.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const dataDir = dataFolder(process.env, checkout);
const { MGMT_PASSWORD: password, PLATFORM_LISTEN: listen = '' } = loadEnvironment(process.env, dataDir);

if (password) {
  const { token } = endpoints.login.response.parse(await post(endpoints.login.path, { password }));
  console.log(endpoints.querySecret.response.parse(await post(endpoints.querySecret.path, { token })));
} else {
  refuse(new Error(`no admin password in ${envFilePath(dataDir)}; open the console and set one first`));
}

function refuse(error: Error): never {
  console.error(`The API secret cannot be read: ${error.message}.`);
  process.exit(1);
}

/** The data of the control plane's answer; it listens on a Unix socket, or `host:port`. Ends the process on a refusal. */
async function post(path: string, body: object): Promise<unknown> {
  return JSON.parse(await exchange(path, body).catch(refuse)).data;
}

function exchange(path: string, body: object): Promise<string> {
  const target = listen.includes('/') ? { socketPath: listen } : { host: '127.0.0.1', port: listen.split(':').at(-1) };
  return new Promise((resolve, reject) => {
    const call = request({ ...target, path, method: 'POST', headers: { 'content-type': 'application/json' } });
    call.once('error', () => reject(new Error('the server is not running')));
    call.once('response', (response) => {
      text(response).then(
        (answer) => (response.statusCode === 200 ? resolve(answer) : reject(new Error(answer))),
        () => reject(new Error('the server has gone away')),
      );
    });
    call.end(JSON.stringify(body));
  });
}
