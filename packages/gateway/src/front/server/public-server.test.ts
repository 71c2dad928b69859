import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpServer, listen } from './public-server.ts';

test('when all sockets are in use, idle ones are closed for new clients', async () => {
  const server = createHttpServer(
    { onRequest: (_request, response) => response.end('hi'), onUpgrade: () => undefined },
    () => false,
  );
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.maxConnections = 1;
  const port = await listen(server, {
    variable: 'X',
    address: { host: '127.0.0.1', port: 0 },
    onError: () => undefined,
  });
  const request = () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    socket.write('GET / HTTP/1.1\r\nHost: h\r\n\r\n');
    return socket;
  };
  const idle = request();
  await once(idle, 'data');
  const closed = once(idle.resume(), 'close');
  const dropped = request().resume();
  await Promise.all([closed, once(dropped, 'close')]);
  expect(String((await once(request(), 'data'))[0])).toMatch(/^HTTP\/1\.1 200/);
});
