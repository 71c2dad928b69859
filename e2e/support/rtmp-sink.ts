// An RTMP server that accepts every publisher and records the application and stream name exactly as sent.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { ChunkReader } from '@srs-stack/media/protocols/rtmp/chunk-reader.ts';
import { parseCommand, textOf } from '@srs-stack/media/protocols/rtmp/command-message.ts';
import { RtmpConnection } from '@srs-stack/media/protocols/rtmp/connection.ts';
import { messageType } from '@srs-stack/media/protocols/rtmp/message.ts';

/** C0, C1 and C2 of the handshake, bytes. */
const handshakeBytes = 1 + 1536 + 1536;
/** Longest message that the server reads, bytes. */
const maxMessageBytes = 8 * 1024 * 1024;

interface ArrivedPublisher {
  readonly app: string;
  readonly tcUrl: string;
  readonly name: string;
  /** Number of audio and video messages so far. */
  mediaCount: number;
}

export async function startRtmpSink() {
  const arrived: ArrivedPublisher[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    serve(socket, arrived);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    arrived,
    open: () => sockets.size,
    url: `rtmp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function serve(socket: Socket, arrived: ArrivedPublisher[]): void {
  let publisher: ArrivedPublisher | undefined;
  const connection = new RtmpConnection(
    {
      send: (parts) => socket.write(Buffer.concat(parts)),
      onPublish: () => connection.acceptPublish(performance.now()),
      onPlay: () => socket.destroy(),
      onMedia: () => publisher && publisher.mediaCount++,
      onDropped: () => undefined,
      onPublishEnd: () => socket.end(),
      onPlayEnd: () => undefined,
    },
    { now: performance.now(), random: randomBytes },
  );
  const commands = new ChunkReader(maxMessageBytes);
  let connect = { app: '', tcUrl: '' };
  let toSkip = handshakeBytes;
  socket.on('data', (data) => {
    const rest = data.subarray(Math.min(toSkip, data.length));
    toSkip -= data.length - rest.length;
    commands.push(rest);
    for (let message = commands.next(); message; message = commands.next()) {
      if (message.typeId !== messageType.commandAmf0) continue;
      const { name, object, args } = parseCommand(message);
      if (name === 'connect') connect = { app: textOf(object.app) ?? '', tcUrl: textOf(object.tcUrl) ?? '' };
      if (name !== 'publish') continue;
      publisher = { ...connect, name: textOf(args[0]) ?? '', mediaCount: 0 };
      arrived.push(publisher);
    }
    connection.push(data, performance.now());
  });
}
