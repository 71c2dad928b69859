// Accepts one RTMP publisher without validation: plain handshake, connect, createStream, publish.
import type { Socket } from 'node:net';
import { type AmfValue, parseAmf, writeAmf } from '../lib/amf0.ts';
import { ChunkReader, messageType, writeMessage } from '../lib/rtmp-chunks.ts';

const handshakeBytes = 1536;
/** Every response of this server fits into one chunk of the default size. */
const answerChunkBytes = 128;

export type TakeMessage = (type: number, timestampMs: number, body: Buffer) => void;

/** @param publish is called with the stream name at the start and returns the handler of the media messages. */
export function takePublisher(socket: Socket, publish: (name: string) => TakeMessage): void {
  let take: TakeMessage | undefined;
  const answer = (...values: AmfValue[]): void => {
    const header = { chunkStream: 3, type: messageType.command, stream: 0, timestampMs: 0 };
    socket.write(writeMessage(header, writeAmf(...values), answerChunkBytes));
  };
  const onCommand = ([name, transaction = 0, , stream]: AmfValue[]): void => {
    if (name === 'connect') answer('_result', transaction, null, { code: 'NetConnection.Connect.Success' });
    if (name === 'createStream') answer('_result', transaction, null, 1);
    if (name !== 'publish') return;
    take = publish(String(stream).split('?')[0] ?? '');
    answer('onStatus', 0, null, { level: 'status', code: 'NetStream.Publish.Start' });
  };
  const chunks = new ChunkReader((type, body, timestampMs) => {
    if (type === messageType.command) onCommand(parseAmf(body));
    else take?.(type, timestampMs, body);
  });
  let handshake: Buffer | undefined = Buffer.alloc(0);
  let isGreeted = false;
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    if (!handshake) {
      chunks.push(bytes);
      return;
    }
    handshake = Buffer.concat([handshake, bytes]);
    if (handshake.length > handshakeBytes && !isGreeted) {
      isGreeted = true;
      const first = handshake.subarray(1, 1 + handshakeBytes);
      socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(handshakeBytes), first]));
    }
    if (handshake.length < 1 + 2 * handshakeBytes) return;
    const rest = handshake.subarray(1 + 2 * handshakeBytes);
    handshake = undefined;
    chunks.push(rest);
  });
}
