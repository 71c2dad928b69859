// Test client for RTMP: writes messages of encoders and players, and reads the server's responses.
import { type AmfObject, type AmfValue, parseAmf0 } from '../amf0.ts';
import { ChunkReader } from '../chunk-reader.ts';
import { writeChunks } from '../chunk-writer.ts';
import { writeCommand } from '../command-message.ts';
import { handshakePartBytes } from '../handshake-digest.ts';
import { messageType, type RtmpMessage } from '../message.ts';

const chunkSize = 128;
const serverHelloBytes = 1 + 2 * handshakePartBytes;

export const connectObject: AmfObject = {
  app: 'live',
  type: 'nonprivate',
  flashVer: 'FMLE/3.0 (compatible; test)',
  tcUrl: 'rtmp://127.0.0.1/live',
};

/** C0, plain C1 and C2 in one write, as pipelining clients send them. */
export function writeHello(): Buffer {
  return Buffer.concat([Buffer.of(3), Buffer.alloc(2 * handshakePartBytes)]);
}

export function writeMessage(message: RtmpMessage, chunkStreamId = 3, size = chunkSize): Buffer {
  return Buffer.concat(writeChunks(chunkStreamId, message, size));
}

export function writeCall(name: string, transactionId: number, ...args: AmfValue[]): Buffer {
  const streamId = name === 'publish' || name === 'play' ? 1 : 0;
  return writeMessage(writeCommand(streamId, false, name, transactionId, ...args));
}

/** All messages of an encoder up to publish. */
export function writePublishCalls(name: string, connect: AmfObject = connectObject): Buffer {
  return Buffer.concat([
    writeCall('connect', 1, connect),
    writeCall('releaseStream', 2, null, name),
    writeCall('FCPublish', 3, null, name),
    writeCall('createStream', 4, null),
    writeCall('publish', 5, null, name, 'live'),
  ]);
}

export function writePlayCalls(name: string, connect: AmfObject = connectObject): Buffer {
  return Buffer.concat([
    writeCall('connect', 1, connect),
    writeCall('createStream', 2, null),
    writeCall('play', 3, null, name, -2000),
  ]);
}

/** Collects and parses the server's bytes. */
export class ServerBytes {
  readonly messages: RtmpMessage[] = [];
  readonly #reader = new ChunkReader(16 * 1024 * 1024);
  #helloLeft = serverHelloBytes;

  push(data: Buffer): void {
    const skipped = Math.min(this.#helloLeft, data.length);
    this.#helloLeft -= skipped;
    if (skipped < data.length) this.#reader.push(data.subarray(skipped));
    for (let message = this.#reader.next(); message; message = this.#reader.next()) this.messages.push(message);
  }

  get commands(): AmfValue[][] {
    return this.messages
      .filter(({ typeId }) => typeId === messageType.commandAmf0 || typeId === messageType.commandAmf3)
      .map(({ typeId, payload }) => parseAmf0(typeId === messageType.commandAmf3 ? payload.subarray(1) : payload));
  }

  get codes(): string[] {
    return this.commands.flatMap((values) => {
      const information = values[3] as AmfObject | undefined;
      return typeof information?.code === 'string' ? [information.code] : [];
    });
  }
}
