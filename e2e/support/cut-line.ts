// A TCP connection to a port of this machine that can be cut like a network: neither end is notified of lost data.
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from './free-port.ts';

export interface CutLine {
  readonly port: number;
  /** While true, bytes are dropped and connections hang. */
  isCut: boolean;
  close(): void;
}

export async function openCutLine(target: number): Promise<CutLine> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        // A TLS connection misses the dropped bytes and fails when the network returns.
        if (!line.isCut) to.write(bytes);
      });
    }
  });
  const line: CutLine = {
    port: await freePort(),
    isCut: false,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  await new Promise<void>((resolve) => server.listen(line.port, '127.0.0.1', resolve));
  return line;
}
