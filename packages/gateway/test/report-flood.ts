// Sends many playback reports on one connection, with the maximum concurrency.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maxRequestsOfConnection } from '../src/front/limits/front-limits.ts';

/** Sends `count` reports. Resolves with the size of the used heap after all reports were refused with 403. */
export async function flood(port: number, count: number, body: (index: number) => string): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  let answered = 0;
  let tail = '';
  socket.on('data', (bytes: Buffer) => {
    const text = tail + bytes.toString('latin1');
    answered += text.split('HTTP/1.1 403').length - 1;
    tail = text.slice(-11).includes('HTTP/1.1 403') ? '' : text.slice(-11);
  });
  for (let index = 0; index < count; index++) {
    while (index - answered >= maxRequestsOfConnection) await once(socket, 'data');
    const text = body(index);
    const head = `POST /watch/reports HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n`;
    socket.write(head + text);
  }
  while (answered < count) await once(socket, 'data');
  socket.destroy();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
}
