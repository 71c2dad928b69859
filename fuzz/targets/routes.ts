// Calls every operation of the contract with valid bodies, almost valid bodies, and bodies that are not JSON.
// The whole control plane runs in this process with its own store and data folder.
import { type EndpointName, endpoints } from '../../packages/contract/src/index.ts';
import { openTestPlatform, type TestPlatform, testBearer } from '../../packages/platform/src/testing/test-platform.ts';
import { mutate } from '../mutate.ts';
import type { Random } from '../random.ts';
import { valueFor } from '../schema-values.ts';
import type { FuzzTarget } from '../target.ts';

/** Excluded calls: they connect to a video site, a certificate authority or the cloud. */
const reachOut: readonly EndpointName[] = [
  'bilibili',
  'requestLetsEncrypt',
  'updateCloudSecret',
  'applyDvr',
  'applyVod',
];
const names = (Object.keys(endpoints) as EndpointName[]).filter((name) => !reachOut.includes(name));
const credentials = [`Bearer ${testBearer}`, `Bearer ${testBearer}`, 'Bearer wrong', 'Bearer', ''];
const methods = ['POST', 'POST', 'POST', 'GET', 'PUT', 'DELETE', 'HEAD', 'PATCH', 'OPTIONS'] as const;

interface Call {
  readonly method: (typeof methods)[number];
  readonly url: string;
  readonly authorization: string;
  /** Base64, because a body may be binary. */
  readonly body: string;
}

function generate(random: Random): Buffer {
  const { path, aliases, request } = endpoints[random.pick(names)];
  const text = Buffer.from(JSON.stringify(valueFor(request, random)) ?? '');
  const body = random.once(8) ? mutate(text, [text, Buffer.from('{"token":"x","a":[{}]}')], random) : text;
  const query = random.once(8) ? random.pick(['?callback=a.b', '?callback=1;x', '?a=%', '?token=x', '?']) : '';
  const call: Call = {
    method: random.pick(methods),
    url: random.pick([path, ...aliases]) + query,
    authorization: random.pick(credentials),
    body: body.toString('base64'),
  };
  return Buffer.from(JSON.stringify(call));
}

/** Error name of a bug; all other names are valid responses. */
const faultName = 'internal';

export function routesTarget(): FuzzTarget {
  let platform: TestPlatform | undefined;
  return {
    name: 'routes',
    testInputs: 1_500,
    generate,
    async open() {
      platform = await openTestPlatform();
    },
    async run(input) {
      const { method, url, authorization, body } = JSON.parse(input.toString()) as Call;
      const payload = Buffer.from(body, 'base64');
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await (platform as TestPlatform).app.inject({ method, url, headers, payload });
      if (answer.statusCode === 500 || answer.body.includes(`"name":"${faultName}"`))
        throw new Error(`${method} ${url} returned ${answer.statusCode}: ${answer.body.slice(0, 300)}`);
    },
    async close() {
      await platform?.dispose();
    },
  };
}
