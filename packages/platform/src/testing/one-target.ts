// A TCP target for a cluster task. Records the arrival times of each connection: a test can check that two programs never sent
// simultaneously.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface Sent {
  readonly firstMs: number;
  lastMs: number;
}

export interface OneTarget {
  readonly address: string;
  /** Connections that have sent something, in order. Times are milliseconds of `performance.now()`. */
  readonly sent: readonly Sent[];
  /** One message for each connection that sent before an earlier connection had finished. */
  overlaps(): string[];
  /** Resolves with the arrival time of the next bytes. Only connections that begin to send at or after `sinceMs` count. */
  nextAfter(sinceMs: number): Promise<number>;
  close(): Promise<void>;
}

export async function startOneTarget(): Promise<OneTarget> {
  const sent: Sent[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let own: Sent | undefined;
    socket.on('error', () => undefined);
    socket.on('data', () => {
      const nowMs = performance.now();
      if (!own) {
        own = { firstMs: nowMs, lastMs: nowMs };
        sent.push(own);
      }
      own.lastMs = nowMs;
      server.emit('bytes', own);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    overlaps: () =>
      sent.flatMap((each, i) => {
        const earlier = sent.slice(0, i).filter(({ lastMs }) => lastMs > each.firstMs);
        return earlier.map(
          ({ lastMs }) =>
            `connection ${i} began ${Math.round(lastMs - each.firstMs)} ms before an earlier connection ended`,
        );
      }),
    async nextAfter(sinceMs) {
      for (;;) {
        const [{ firstMs, lastMs }] = (await once(server, 'bytes')) as [Sent];
        if (firstMs >= sinceMs) return lastMs;
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
