// A client that disconnects during its request causes no error in the log.
import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { installErrorMapping } from '../src/http/wire/error-mapping.ts';
import { installWireFormat } from '../src/http/wire/wire-format.ts';

const app = fastify();
afterEach(() => app.close());

it('a client that disconnects is logged at level debug, and a bug as an error', async () => {
  const lines: [level: string, message: string][] = [];
  let onLog = () => {};
  const at = (level: string) => (_fields: object, message: string) => {
    lines.push([level, message]);
    onLog();
  };
  installWireFormat(app, '0.0.0');
  installErrorMapping(app, { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') });
  app.post('/upload', async () => 'done');
  app.post('/bug', async () => {
    throw new Error('a bug');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const next = () => new Promise<void>((resolve) => (onLog = resolve));

  const logged = next();
  const socket = connect(port, '127.0.0.1');
  const arrived = once(app.server, 'request');
  socket.write('POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a');
  await arrived;
  socket.resetAndDestroy();
  await logged;
  expect(lines).toEqual([['debug', 'client disconnected before the response']]);

  expect((await app.inject({ method: 'POST', url: '/bug' })).statusCode).toBe(500);
  expect(lines.at(-1)).toEqual(['error', 'API call failed']);
});
