// Calls of command-line tools to the running control plane, with the admin password of the data folder.

import { text } from 'node:stream/consumers';
import { type Endpoint, endpoints, type RequestOf, type ResponseOf } from '@srs-stack/contract';
import { request } from '@srs-stack/process/node-http.ts';
import { settingsFilePath } from '@srs-stack/process/settings-file.ts';
import type { Environment } from './environment.ts';

/** No control plane listens at the configured address. */
export class NotRunning extends Error {
  override readonly name = 'NotRunning';
  constructor() {
    super('the server is not running');
  }
}

export type Call = <E extends Endpoint>(
  endpoint: E,
  body: Omit<RequestOf<E> & object, 'token'>,
) => Promise<ResponseOf<E>>;

/** Logs in. Rejects with `NotRunning`, or with an error that contains the reason. */
export async function logIn(environment: Environment): Promise<Call> {
  const { MGMT_PASSWORD: password, PLATFORM_LISTEN: listen = '', DATA_DIR: dataDir = '' } = environment;
  if (!password)
    throw new Error(`no admin password in ${settingsFilePath(dataDir)}; open the console and set a password first`);
  const { token } = await post(listen, endpoints.login, { password });
  return (endpoint, body) => post(listen, endpoint, { ...body, token });
}

async function post<E extends Endpoint>(listen: string, endpoint: E, body: object): Promise<ResponseOf<E>> {
  const target = listen.includes('/') ? { socketPath: listen } : { host: '127.0.0.1', port: listen.split(':').at(-1) };
  const answer = await new Promise<string>((resolve, reject) => {
    const outgoing = request({ ...target, path: endpoint.path, method: 'POST' });
    outgoing.once('error', () => reject(new NotRunning()));
    outgoing.once('response', (response) => {
      text(response).then(
        (sent) => (response.statusCode === 200 ? resolve(sent) : reject(new Error(refusalText(sent)))),
        () => reject(new Error('the connection to the server was closed')),
      );
    });
    outgoing.end(JSON.stringify(body));
  });
  return endpoint.response.parse(JSON.parse(answer).data) as ResponseOf<E>;
}

/** The message of an error response. A response in another format is returned unchanged. */
function refusalText(answer: string): string {
  try {
    return JSON.parse(answer).data.message;
  } catch {
    return answer;
  }
}
