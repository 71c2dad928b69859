import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SharedTurns } from '../../util/shared-turns.ts';
import { type ExchangePeer, RtspExchange } from './rtsp-exchange.ts';

/** Duration of one response on the fake clock, milliseconds. */
const responseMs = 0.1;
/** Maximum number of responses in a turn of 4 ms. The last connection may complete a batch of 16 responses. */
const mostResponsesOfTurn = 4 / responseMs + 16;

let server: Server;
let port: number;
let nowMs: number;
let responses: { of: RtspExchange; method: string }[];
const clients: Socket[] = [];

beforeEach(async () => {
  [nowMs, responses] = [0, []];
  const turns = new SharedTurns(() => nowMs);
  server = createServer((socket) => {
    const peer: ExchangePeer = {
      isClosing: false,
      isPublishing: false,
      scope: { fields: {}, end: () => socket.destroy() },
      onFrame: () => undefined,
      respond: ({ method }) => {
        responses.push({ of: exchange, method });
        nowMs += responseMs;
        const response = { status: 200, headers: {} };
        return method === 'DESCRIBE' ? Promise.resolve(response) : response;
      },
      afterResponse: () => undefined,
      send: (bytes) => socket.write(bytes),
      guard: (step) => step(),
    };
    const exchange: RtspExchange = new RtspExchange({ socket, turns, clock: () => nowMs, peer });
    socket.on('data', (data) => exchange.handleData(data)).on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  server.close();
  await once(server, 'close');
});

async function fetchAll(methods: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  clients.push(socket);
  socket.write(methods.map((method, at) => `${method} * RTSP/1.0\r\nCSeq: ${at}\r\n\r\n`).join(''));
  let text = '';
  const numbers = (): string[] => [...text.matchAll(/CSeq: (\d+)/g)].map(([, number]) => number!);
  for await (const data of socket) {
    text += data;
    if (numbers().length >= methods.length) break;
  }
  return numbers();
}

/** Maximum number of responses in one turn of the event loop, measured until `work` is done. */
async function mostInOneTurn(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    const before = responses.length;
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, responses.length - before);
  }
  await end;
  return most;
}

it.each([['OPTIONS'], ['DESCRIBE']])(
  'a bounded number of %s of all connections gets responses in one turn',
  async (method) => {
    const count = 100;
    const requests = Array.from({ length: 30 }, () => fetchAll(Array<string>(count).fill(method)));
    expect(await mostInOneTurn(Promise.all(requests))).toBeLessThanOrEqual(mostResponsesOfTurn);
    const inOrder = Array.from({ length: count }, (_, at) => String(at));
    for (const numbers of await Promise.all(requests)) expect(numbers).toEqual(inOrder);
  },
);

it('connections take turns, so that one request does not wait for the thousands of another', async () => {
  const many = fetchAll(Array<string>(2_000).fill('OPTIONS'));
  await expect.poll(() => responses.length, { interval: 1 }).toBeGreaterThan(0);
  await fetchAll(['TEARDOWN']);
  expect(responses.filter(({ method }) => method === 'OPTIONS').length).toBeLessThan(2_000);
  await many;
});
