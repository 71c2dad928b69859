// Hosts that an HLS source may lead to. Forbidden addresses are never contacted. A public server may lead into a private network only
// if the operator has named the network.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HttpClient, type HttpClientOptions } from '../src/sessions/pull/http-client.ts';
import { startHlsOrigin } from './hls-origin.ts';

/**
 * A client for a public server that redirects into a private network. All servers are on loopback, so the first address counts as public,
 * and later addresses as private.
 */
async function openClient(changes: Partial<HttpClientOptions> = {}) {
  const inside = await startHlsOrigin((_path, response) => response.end('inside'));
  const outside = await startHlsOrigin((_path, response) => {
    response.writeHead(302, { location: inside.url.replace('127.0.0.1', 'localhost') }).end();
    return true;
  });
  const seen: string[] = [];
  const client = new HttpClient({
    ...{ address: new URL(outside.url), acceptsAnyCertificate: false, isSourceNetwork: () => false },
    isPrivate: () => seen.length > 1,
    mayContact: (address) => seen.push(address) > 0,
    ...changes,
  });
  onTestFinished(() => client.close());
  return { client, inside, outside };
}

describe('a public HLS source', () => {
  it('cannot refer to private networks, by any name', async () => {
    const { client, inside, outside } = await openClient();
    const failure = { reason: 'address-refused', fault: 'leads-inward', subject: 'localhost' };
    await expect(client.get(new URL(outside.url))).rejects.toMatchObject({ failure });
    await expect(client.get(new URL(inside.url))).rejects.toMatchObject({
      failure: { ...failure, subject: '127.0.0.1' },
    });
    expect(inside.requests).toEqual([]);
  });

  it('may refer to private networks that the operator named', async () => {
    const { client, inside, outside } = await openClient({ isSourceNetwork: () => true });
    const { url } = await client.get(new URL(outside.url));
    expect([url.port, inside.requests]).toEqual([String(inside.port), ['/']]);
  });

  it('that is private itself may refer to other private servers', async () => {
    const { client, inside, outside } = await openClient({ isPrivate: () => true });
    await client.get(new URL(outside.url));
    expect(inside.requests).toEqual(['/']);
  });

  it('can never refer to a forbidden address', async () => {
    const { client, outside } = await openClient({
      isPrivate: () => true,
      mayContact: (address) => address === '0.0.0.0',
    });
    await expect(client.get(new URL(outside.url))).rejects.toMatchObject({
      failure: { reason: 'address-refused', detail: expect.stringContaining('not allowed') },
    });
  });
});

it('an HLS source that refers to many hosts keeps few connections and cookies', async () => {
  const sent: (string | undefined)[] = [];
  const server: Server = createServer(({ headers }, response) => {
    sent.push(headers.cookie);
    response.writeHead(200, { 'set-cookie': `session=${headers.host}` }).end('x');
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  server.keepAliveTimeout = 60_000;
  const { port } = server.address() as AddressInfo;
  const address = (host: number) => new URL(`http://127.0.0.${host}:${port}/`);
  const client = new HttpClient({
    ...{ address: address(1), acceptsAnyCertificate: false, isSourceNetwork: () => false, mayContact: () => true },
  });
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const get = async (host: number) => {
    const { response } = await client.get(address(host));
    await response.toArray();
  };
  for (let host = 1; host <= 100; host++) await get(host);
  const connections = () => promisify(server.getConnections.bind(server))();
  await vi.waitFor(async () => expect(await connections()).toBeLessThan(20));
  await get(100);
  await get(1);
  expect(sent.slice(-2)).toEqual([`session=127.0.0.100:${port}`, undefined]);
});
