import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type ClusterTls, createClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createNodeCalls } from './node-calls.ts';

const secret = 'a secret of two nodes';
/** Maximum number of simultaneous file transfers. */
const places = 4;
/** More than the socket buffers of a connection can hold. */
const largeBytes = 256 * 1024 * 1024;
let tlsOf: Record<'here' | 'there', ClusterTls>;
beforeAll(async () => {
  const make = (nodeId: string) => createClusterTls({ secret, clusterName: 'test', nodeId });
  tlsOf = { here: await make('here'), there: await make('there') };
});

async function callsTo(respond: RequestListener, isThere = true) {
  const server = createServer(tlsOf.there.serverOptions(), respond);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
  const row = { id: 'there', name: 'Upstairs', isSelf: false, address: isThere ? address : null };
  const calls = createNodeCalls({ nodes: { list: () => [row as never] }, tls: tlsOf.here, places });
  onTestFinished(() => {
    calls.close();
    server.close();
    server.closeAllConnections();
  });
  const read = (signal: AbortSignal) => calls.read('there', { method: 'GET', path: '/x', headers: {}, signal });
  return { calls, read, server };
}

const never = new AbortController().signal;

test('a file is streamed at the pace of its reader, and both ends close when the reader stops', async () => {
  const piece = Buffer.alloc(1024 * 1024);
  let written = 0;
  let sending: ServerResponse | undefined;
  const { read } = await callsTo((_request, response) => {
    sending = response;
    const write = () => {
      while (written < largeBytes && response.write(piece)) written += piece.length;
      response.once('drain', write);
    };
    write();
  });
  const left = new AbortController();
  const { body } = await read(left.signal);
  await once(body, 'readable');
  const stopped = vi.fn();
  sending?.once('close', stopped);
  // The server must stop sending when the client does not read.
  let before = -1;
  await vi.waitUntil(
    () => {
      const isSame = before === written;
      before = written;
      return isSame;
    },
    { interval: 200, timeout: 20_000 },
  );
  expect(written).toBeLessThan(largeBytes / 4);
  left.abort();
  await vi.waitFor(() => expect(stopped).toHaveBeenCalled());
  expect(body.destroyed).toBe(true);
});

test('file transfers are limited, and each place is freed when its reader stops', async () => {
  const { read } = await callsTo((_request, response) => response.write('begun'));
  const left = new AbortController();
  for (let count = 0; count < places; count++) await read(left.signal);
  await expect(read(never)).rejects.toMatchObject({ errorName: 'serverBusy' });
  left.abort();
  await vi.waitFor(async () => (await read(AbortSignal.timeout(10_000))).body.destroy());
});

test('a place is freed when the node does not respond or closes the connection', async () => {
  const { read } = await callsTo((request) => request.socket.destroy());
  for (let count = 0; count < places + 2; count++)
    await expect(read(never)).rejects.toMatchObject({
      errorName: 'nodeAway',
      message: expect.stringContaining('Upstairs'),
    });
});

test('a node without an address, with another certificate, or unknown counts as down', async () => {
  const nowhere = await callsTo(() => undefined, false);
  await expect(nowhere.read(never)).rejects.toMatchObject({ errorName: 'nodeAway' });
  await expect(nowhere.calls.post('nobody', '/x', {})).rejects.toMatchObject({ errorName: 'nodeAway' });
  const { server, read } = await callsTo((_request, response) => response.end());
  server.removeAllListeners('request');
  tlsOf.there = await createClusterTls({ secret: 'another secret', clusterName: 'test', nodeId: 'there' });
  onTestFinished(async () => {
    tlsOf.there = await createClusterTls({ secret, clusterName: 'test', nodeId: 'there' });
  });
  await expect(read(never)).rejects.toMatchObject({ errorName: 'nodeAway' });
});

test('a refusal of the node is thrown here', async () => {
  const { calls } = await callsTo((_request, response) => {
    const data = { name: 'notFound', message: 'not found: no recording x', requestId: '1' };
    response.writeHead(404).end(JSON.stringify({ code: 4004, server: 1, data }));
  });
  await expect(calls.post('there', '/x', {})).rejects.toMatchObject({
    errorName: 'notFound',
    message: 'not found: no recording x',
  });
});
