// A proxy between a client and a local server. Delays responses, or closes a connection in place of a response.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Transform, TransformCallback } from 'node:stream';
import { PassThrough } from 'node:stream';

export interface TcpProxy {
  readonly port: number;
  delayMs: number;
  /** Drops the response to the next request that contains this text, and closes the connection. */
  cutResponseTo: string | undefined;
  cuts: number;
  /** Forwards nothing but keeps connections open, like an unplugged cable. */
  isCut: boolean;
  close(): Promise<void>;
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    let isDoomed = false;
    client.on('data', (bytes) => {
      isDoomed ||= proxy.cutResponseTo !== undefined && bytes.includes(proxy.cutResponseTo);
      if (!proxy.isCut) upstream.write(bytes);
    });
    upstream.pipe(delayed(() => proxy.delayMs)).on('data', (bytes: Buffer) => {
      if (proxy.isCut) return;
      // Drops later chunks of a dropped response.
      if (client.destroyed) return;
      if (!isDoomed) {
        client.write(bytes);
        return;
      }
      proxy.cutResponseTo = undefined;
      proxy.cuts += 1;
      client.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: TcpProxy = {
    port: (server.address() as { port: number }).port,
    delayMs: 0,
    cutResponseTo: undefined,
    cuts: 0,
    isCut: false,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

/** Delays every chunk, and keeps the order. */
function delayed(delayMs: () => number): Transform {
  const stream = new PassThrough();
  const pass = stream._transform.bind(stream);
  stream._transform = (chunk: Buffer, encoding: BufferEncoding, done: TransformCallback) => {
    setTimeout(() => pass(chunk, encoding, done), delayMs());
  };
  return stream;
}
