// TLS handshakes of RTMPS and RTSPS start at a limited rate. Connections above the rate wait and count as unused peers of their address.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createRtmpsServer, type UnusedPeer } from '../src/listeners/rtmps-server.ts';
import { UnusedTable } from '../src/util/unused-table.ts';
import { makeCertificate } from './certificate.ts';

test('handshakes above the rate of an address wait for the next second', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rtmps-'));
  const unused = new UnusedTable<UnusedPeer>({ maxPerAddress: 10, onEvict: (peer) => peer.makeRoom() });
  const secured: Socket[] = [];
  const { server, dropHandshakes } = createRtmpsServer({
    ...{ socketOptions: {}, unused, onSocket: (socket) => secured.push(socket.pipe(socket) as Socket) },
    handshakes: { mostPerTurn: 1, mostPerSecondOfAddress: 2 },
  });
  server.setSecureContext(await makeCertificate(folder, 'tv.example'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const clients = [1, 2, 3].map(() => connect({ port, host: '127.0.0.1', rejectUnauthorized: false }));
  onTestFinished(async () => {
    vi.useRealTimers();
    for (const socket of [...clients, ...secured]) socket.destroy();
    dropHandshakes();
    server.close();
    await once(server, 'close');
    await rm(folder, { recursive: true });
  });
  await expect.poll(() => [secured.length, unused.size], { interval: 1 }).toEqual([2, 1]);
  // More round trips than a handshake needs, so a started third handshake would be complete.
  for (let count = 0; count < 20; count++) {
    for (const client of clients) client.write('x');
    await Promise.race(clients.map((client) => once(client, 'data')));
  }
  expect([secured.length, unused.size]).toEqual([2, 1]);
  vi.advanceTimersByTime(1_000);
  await expect.poll(() => [secured.length, unused.size], { interval: 1 }).toEqual([3, 0]);
});
