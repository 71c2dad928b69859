// RTSP viewers of one stream. Every packet becomes RTP packets once, framed for the RTSP connection (RFC 2326 §10.12), for all viewers. For
// viewers over UDP, the packets are taken out of the frames.
import { randomInt } from 'node:crypto';
import type { Packet } from '@srs-stack/media/packet.ts';
import { writeSenderReport } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { RtpTrackWriter, rtpClockRate } from '@srs-stack/media/protocols/rtp/rtp-track-writer.ts';
import type { AudioCodec, Track, VideoCodec } from '@srs-stack/media/track.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import type { BroadcastFormat, BroadcastMuxer } from '../broadcast/broadcast-format.ts';
import { type ChunkFacts, SharedChunk } from '../broadcast/shared-chunk.ts';
import type { Obstacle } from '../obstacle.ts';

/** RTP channel per track; RTCP uses the next channel. Fixed, because all viewers get the same bytes. */
export const interleavedChannel = { video: 0, audio: 2 } as const;
/** Media time between two sender reports, milliseconds. */
const reportIntervalMs = 2_000;
/** The tracks of a stream count as complete after this media time, milliseconds. */
const secondTrackWaitMs = 1_000;
const frameHeaderBytes = 4;
const carriedVideo: readonly VideoCodec[] = ['h264', 'h265', 'av1'];
const carriedAudio: readonly AudioCodec[] = ['aac', 'opus', 'mp3', 'mp2', 'pcma', 'pcmu'];

export interface RtspTracks {
  readonly video: boolean;
  readonly audio: boolean;
}

/** @param wallClock milliseconds since 1970. */
export function rtspFormat({ video, audio }: RtspTracks, wallClock: () => number): BroadcastFormat {
  return {
    name: 'rtsp',
    acceptsAudio: audio ? carriedAudio : [],
    acceptsVideo: video,
    ...(video && { obstacleOf: uncarriedVideo }),
    createMuxer: (view) => new RtspMuxer(view, wallClock),
  };
}

function uncarriedVideo({ video }: Pick<StreamView, 'video'>): Obstacle | undefined {
  if (!video || carriedVideo.includes(video.codec)) return undefined;
  const detail = `RTSP output does not support ${video.codec} video: play the stream over HTTP-FLV`;
  return { kind: 'unsupported', detail, codec: video.codec };
}

/** Whether both tracks are known, or a second track is no longer expected. */
export function hasRtspTracks({ present, mediaMs }: StreamView): boolean {
  if (present.video && present.audio) return true;
  return mediaMs >= secondTrackWaitMs && (present.video ?? present.audio) !== undefined;
}

class RtspMuxer implements BroadcastMuxer {
  pendingBytes = 0;
  #pending: Buffer[] = [];
  readonly #view: StreamView;
  readonly #wallClock: () => number;
  readonly #writers = { video: newWriter(), audio: newWriter() };
  #mediaToWallMs: number | undefined;
  #reportedMs = Number.NEGATIVE_INFINITY;

  constructor(view: StreamView, wallClock: () => number) {
    this.#view = view;
    this.#wallClock = wallClock;
  }

  get isReady(): boolean {
    return hasRtspTracks(this.#view);
  }

  write(packet: Packet): void {
    this.#mediaToWallMs ??= this.#wallClock() - packet.dtsMs;
    const { kind } = packet.track;
    for (const datagram of this.#writers[kind].write(packet)) this.#add(frame(interleavedChannel[kind], datagram));
    if (packet.dtsMs - this.#reportedMs < reportIntervalMs) return;
    this.#reportedMs = packet.dtsMs;
    for (const report of this.#reports(packet.dtsMs)) this.#add(report);
  }

  onPublisherChange(): void {
    this.#reportedMs = Number.NEGATIVE_INFINITY;
  }

  take(facts: ChunkFacts): SharedChunk {
    const chunk = toChunk(this.#pending, this.pendingBytes, facts);
    this.#pending = [];
    this.pendingBytes = 0;
    return chunk;
  }

  /** Sender reports of both tracks, so that players can synchronize the tracks from the start. */
  lead(dtsMs: number): SharedChunk {
    const reports = this.#reports(dtsMs);
    const bytes = reports.reduce((sum, { length }) => sum + length, 0);
    return toChunk(reports, bytes, { isStart: true, dtsMs, frames: 0 });
  }

  #reports(mediaMs: number): Buffer[] {
    const { video, audio } = this.#view.present;
    const tracks = [video, audio].filter((track) => track !== undefined);
    return tracks.map((track) => frame(interleavedChannel[track.kind] + 1, this.#report(track, mediaMs)));
  }

  #report(track: Track, mediaMs: number): Buffer {
    const { ssrc, packets, payloadBytes } = this.#writers[track.kind];
    return writeSenderReport({
      ssrc,
      ntpMs: (this.#mediaToWallMs ?? 0) + mediaMs,
      rtpTimestamp: Math.round((mediaMs * rtpClockRate(track)) / 1000) % 2 ** 32,
      packetCount: packets,
      octetCount: payloadBytes,
    });
  }

  #add(bytes: Buffer): void {
    this.#pending.push(bytes);
    this.pendingBytes += bytes.length;
  }
}

function newWriter(): RtpTrackWriter {
  return new RtpTrackWriter(randomInt(1, 2 ** 32), randomInt(2 ** 15));
}

function frame(channel: number, datagram: Buffer): Buffer {
  const framed = Buffer.allocUnsafe(frameHeaderBytes + datagram.length);
  framed[0] = 0x24;
  framed[1] = channel;
  framed.writeUInt16BE(datagram.length, 2);
  datagram.copy(framed, frameHeaderBytes);
  return framed;
}

function toChunk(parts: readonly Buffer[], bytes: number, facts: ChunkFacts): SharedChunk {
  return new SharedChunk(bytes, facts, (target, offset) => {
    let end = offset;
    for (const part of parts) end += part.copy(target, end);
  });
}
