// Entry of `npm run secret`: prints the API secret for scripts, asked from the running server with the admin password
// in `config/.env`. Who may read that file owns the server anyway.
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { dataFolder, envFilePath, loadEnvironment } from './environment.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const dataDir = dataFolder(process.env, checkout);
const { MGMT_PASSWORD: password, PLATFORM_LISTEN: listen = '' } = loadEnvironment(process.env, dataDir);

if (password) {
  const answer = await post(endpoints.login.path, { password }).catch(refuse);
  const { bearer } = endpoints.login.response.parse(JSON.parse(answer).data);
  console.log(bearer);
} else {
  refuse(new Error(`no admin password in ${envFilePath(dataDir)}; open the console and set one first`));
}

function refuse(error: Error): never {
  console.error(`The API secret cannot be read: ${error.message}.`);
  process.exit(1);
}

/** Posts to the control plane where it listens: a Unix socket, or `host:port`. */
function post(path: string, body: object): Promise<string> {
  const target = listen.includes('/') ? { socketPath: listen } : { host: '127.0.0.1', port: listen.split(':').at(-1) };
  return new Promise((resolve, reject) => {
    const call = request({ ...target, path, method: 'POST', headers: { 'content-type': 'application/json' } });
    call.once('error', () => reject(new Error('the server is not running')));
    call.once('response', async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      response.statusCode === 200 ? resolve(text) : reject(new Error(text));
    });
    call.end(JSON.stringify(body));
  });
}
