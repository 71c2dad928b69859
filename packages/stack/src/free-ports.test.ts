import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { expect, it, onTestFinished } from 'vitest';
import { requireFreePorts } from './free-ports.ts';

async function sharedTcpPort(): Promise<number> {
  const server = createServer().listen({ host: '127.0.0.1', port: 0, reusePort: true });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}

async function sharedUdpPort(): Promise<number> {
  const socket = createSocket({ type: 'udp4', reusePort: true });
  onTestFinished(() => void socket.close());
  socket.bind({ address: '127.0.0.1', port: 0 });
  await once(socket, 'listening');
  return socket.address().port;
}

it.each([
  ['MGMT_LISTEN', sharedTcpPort],
  ['HTTPS_LISTEN', sharedTcpPort],
  ['RTMP_LISTEN', sharedTcpPort],
  ['RTMPS_LISTEN', sharedTcpPort],
  ['SRT_LISTEN', sharedUdpPort],
])('refuses %s when another program uses the port and would share it', async (variable, taken) => {
  const refusal = requireFreePorts({ [variable]: `127.0.0.1:${await taken()}` });
  await expect(refusal).rejects.toThrow(StartRefusal);
  await expect(refusal).rejects.toThrow(variable);
});

it('accepts free ports, port 0 and listeners that are off', async () => {
  await requireFreePorts({ MGMT_LISTEN: '127.0.0.1:0', SRT_LISTEN: 'off' });
  await requireFreePorts({});
});
