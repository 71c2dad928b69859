// Streams as FLV tags: the sequence headers, the last GOP, and the players. Each tag is written to each viewer on
// arrival.
import type { ServerResponse } from 'node:http';
import { messageType } from '../lib/rtmp-chunks.ts';
import type { TakeMessage } from './rtmp-in.ts';

/** FLV 10.1 §E.2: signature, version, audio and video flags, size of this header; then PreviousTagSize0. */
const flvHeader = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]);
const sequenceHeader = 0;

interface FlvStream {
  /** The latest metadata and sequence headers, by kind. */
  readonly heads: Map<string, Buffer>;
  gop: Buffer[];
  readonly viewers: Set<ServerResponse>;
}

export class FlvStreams {
  readonly #streams = new Map<string, FlvStream>();

  publish(name: string): TakeMessage {
    const stream: FlvStream = { heads: new Map(), gop: [], viewers: new Set() };
    this.#streams.set(name, stream);
    return (type, timestampMs, body) => {
      if (type !== messageType.audio && type !== messageType.video && type !== messageType.data) return;
      const tag = tagOf(type, timestampMs, body);
      const isHead = type === messageType.data || body[1] === sequenceHeader;
      const isKey = type === messageType.video && body[0]! >> 4 === 1;
      if (isHead) stream.heads.set(String(type), tag);
      else if (isKey) stream.gop = [tag];
      else if (stream.gop.length > 0) stream.gop.push(tag);
      for (const viewer of stream.viewers) viewer.write(tag);
    };
  }

  play(path: string, response: ServerResponse): void {
    const stream = this.#streams.get(/^\/\w+\/(.+)\.flv$/.exec(path)?.[1] ?? '');
    if (!stream) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'video/x-flv', connection: 'close' });
    response.write(Buffer.concat([flvHeader, ...stream.heads.values(), ...stream.gop]));
    stream.viewers.add(response);
    response.on('close', () => stream.viewers.delete(response));
  }
}

/** FLV 10.1 §E.4.1. */
function tagOf(type: number, timestampMs: number, body: Buffer): Buffer {
  const tag = Buffer.alloc(11 + body.length + 4);
  tag[0] = type;
  tag.writeUIntBE(body.length, 1, 3);
  tag.writeUIntBE(timestampMs & 0xffffff, 4, 3);
  tag[7] = timestampMs >>> 24;
  body.copy(tag, 11);
  tag.writeUInt32BE(11 + body.length, 11 + body.length);
  return tag;
}
