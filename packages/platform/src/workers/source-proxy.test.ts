// A real ffprobe reads HTTP sources that redirect to a forbidden address. `0.0.0.0` is forbidden but would respond: on Linux it means this
// machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { AppError } from '@srs-stack/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { issueCertificate } from '../testing/certificates.ts';
import { makeTestClip } from '../testing/test-clip.ts';
import { probeMedia } from './ffprobe.ts';
import { createSourceProxy, type SourceProxy } from './source-proxy.ts';

let clip: Buffer;
let site: Server;
let secureSite: Server;
let proxy: SourceProxy;
let requested: string[] = [];
beforeAll(async () => {
  clip = makeTestClip();
  site = createServer(answer);
  const { key, crt: cert } = issueCertificate(new Date(), { name: 'localhost' });
  secureSite = createSecureServer({ key, cert }, answer);
  for (const server of [site, secureSite]) await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  for (const server of [site, secureSite]) server.close();
});
beforeEach(() => {
  requested = [];
  proxy = createSourceProxy();
});
afterEach(() => proxy.close());

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const forbidden = () => `http://0.0.0.0:${portOf(site)}`;
const playlist = (segment: string, key = '') =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:2', key, '#EXTINF:1,', segment, '#EXT-X-ENDLIST'].filter(Boolean).join('\n');

function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  requested.push(`${headers.host?.split(':')[0]}${url}`);
  const pages: Record<string, () => unknown> = {
    '/clip.ts': () => response.end(clip),
    '/moved.ts': () => response.writeHead(302, { location: '/clip.ts' }).end(),
    '/away.ts': () => response.writeHead(302, { location: `${forbidden()}/clip.ts` }).end(),
    '/twice.ts': () => response.writeHead(302, { location: '/away.ts' }).end(),
    '/to-secure.ts': () => response.writeHead(302, { location: `https://0.0.0.0:${portOf(secureSite)}/clip.ts` }).end(),
    '/good.m3u8': () => response.end(playlist('clip.ts')),
    '/segment.m3u8': () => response.end(playlist(`${forbidden()}/clip.ts`)),
    '/key.m3u8': () => response.end(playlist('clip.ts', `#EXT-X-KEY:METHOD=AES-128,URI="${forbidden()}/key"`)),
    '/list.ts': () => response.end(`ffconcat version 1.0\nfile ${forbidden()}/clip.ts\n`),
  };
  (pages[url] ?? (() => response.writeHead(404).end()))();
}

const probe = async (url: string) => probeMedia({ url, environment: await proxy.environmentFor(url) });
async function refusalOf(url: string): Promise<string> {
  const error = await probe(url).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error(`not refused, but ${error}`);
  return `${error.errorName}: ${error.detail?.key}`;
}

it.each(['/clip.ts', '/moved.ts', '/good.m3u8'])('%s is read as without a proxy', async (path) => {
  expect((await probe(`http://127.0.0.1:${portOf(site)}${path}`)).layout).toContain('video');
});

it('https works too, end-to-end encrypted', async () => {
  expect((await probe(`https://127.0.0.1:${portOf(secureSite)}/moved.ts`)).layout).toContain('video');
});

it.each(['/away.ts', '/twice.ts', '/to-secure.ts', '/segment.m3u8', '/key.m3u8'])(
  '%s does not reach a forbidden address',
  async (path) => {
    const refused = await refusalOf(`http://127.0.0.1:${portOf(site)}${path}`);
    expect(refused).toBe('addressRefused: source.leads-to-forbidden');
    expect(requested.filter((line) => line.startsWith('0.0.0.0'))).toEqual([]);
  },
);

it('a list of another format is not followed', async () => {
  expect(await refusalOf(`http://127.0.0.1:${portOf(site)}/list.ts`)).toMatch(/^mediaUnreachable/);
  expect(requested).toEqual(['127.0.0.1/list.ts']);
});

it('errors of a source are passed on unchanged', async () => {
  const error = await probe(`http://127.0.0.1:${portOf(site)}/none.ts`).catch((thrown: Error) => thrown);
  expect((error as Error).message).toContain('404');
});

it('other schemes need no proxy; a closed proxy accepts no connections', async () => {
  expect(await proxy.environmentFor('rtmp://h/live/x')).toEqual({});
  const { http_proxy: address = '' } = await proxy.environmentFor('http://h/x.ts');
  await proxy.close();
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  const [error] = await once(socket, 'error');
  expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  expect(await proxy.environmentFor('http://h/x.ts')).toEqual({});
});
