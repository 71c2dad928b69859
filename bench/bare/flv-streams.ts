// Keeps the sequence headers, the last GOP and the viewers of each stream, and writes each FLV tag to each viewer on arrival.
import type { ServerResponse } from 'node:http';
import { messageType } from '../lib/rtmp-chunks.ts';
import type { TakeMessage } from './rtmp-in.ts';

/** The FLV file header (FLV 10.1 §E.2) and PreviousTagSize0. */
export const flvHeader = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]);
const sequenceHeader = 0;

interface FlvStream {
  /** The latest metadata and sequence header of each media type. */
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
      const kind = tagKind(type, body);
      if (kind === undefined) return;
      const tag = flvTag(type, timestampMs, body);
      if (kind === 0) stream.heads.set(String(type), tag);
      else if (kind === 1) stream.gop = [tag];
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

/** @returns 0 for a sequence header or metadata, 1 for a keyframe, 2 for other media; undefined for other messages. */
export function tagKind(type: number, body: Buffer): 0 | 1 | 2 | undefined {
  if (type !== messageType.audio && type !== messageType.video && type !== messageType.data) return undefined;
  if (type === messageType.data || body[1] === sequenceHeader) return 0;
  return type === messageType.video && body[0]! >> 4 === 1 ? 1 : 2;
}

/** FLV 10.1 §E.4.1. */
export function flvTag(type: number, timestampMs: number, body: Buffer): Buffer {
  const tag = Buffer.alloc(11 + body.length + 4);
  tag[0] = type;
  tag.writeUIntBE(body.length, 1, 3);
  tag.writeUIntBE(timestampMs & 0xffffff, 4, 3);
  tag[7] = timestampMs >>> 24;
  body.copy(tag, 11);
  tag.writeUInt32BE(11 + body.length, 11 + body.length);
  return tag;
}
