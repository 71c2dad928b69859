// A TCP target to which a task of a cluster sends. It records when bytes arrived on each connection, so that a test can check whether
// two programs ever sent at the same time.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

interface Sent {
  readonly firstMs: number;
  lastMs: number;
}

export interface OneTarget {
  /** Address for FFmpeg. */
  readonly address: string;
  /** Each connection that sent something, in order, with times in milliseconds of `performance.now()`. */
  readonly sent: readonly Sent[];
  /** A message for each connection that sent while an earlier one was still sending. */
  overlaps(): string[];
  /** Resolves with the arrival time of the next bytes on a connection that began to send at or after the given time. */
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
