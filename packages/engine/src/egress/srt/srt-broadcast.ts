// All SRT viewers of one stream. Packets are muxed once to MPEG-TS, in payloads of one SRT packet, for all viewers. A new viewer gets the
// media since the last keyframe, or starts live if that media exceeds the limits.
import { TsChunks } from '@srs-stack/media/containers/mpegts/ts-chunks.ts';
import { TsMuxer } from '@srs-stack/media/containers/mpegts/ts-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import type { EngineConfig } from '../../engine-config.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { audioObstacle, type Obstacle } from '../obstacle.ts';
import type { SharedOutput } from '../shared-outputs.ts';
import { uncarriedVideo } from '../ts/ts-broadcast-format.ts';

/** TS packets per SRT payload: 7 × 188 = 1316 bytes, the usual size of SRT tools. */
const packetsPerPayload = 7;
/** Maximum duration of the audio frames in one PES packet, milliseconds: above one AAC frame, below usual latencies. */
const audioBatchMs = 40;
/**
 * Interval of program tables for audio only and for a GOP beyond the limits, milliseconds of media (ETSI TR 101 154: 100 to 500 ms).
 * Viewers that start without a keyframe wait for these tables. Otherwise, only keyframes have tables.
 */
const tableIntervalMs = 500;

/** Interface of a viewer's connection. */
export interface SrtViewer {
  /** Sends one payload, or drops it when the viewer cannot keep up. `isStart`: decoding can start here. */
  send(payload: Buffer, isStart: boolean): void;
  onStreamEnd(reason: StreamEndReason): void;
}

/** Opus needs no conversion: SRT players support Opus in MPEG-TS (FFmpeg, GStreamer, VLC). */
const srtAudio = { acceptsAudio: ['aac', 'mp3', 'opus'] } as const;

/** Why SRT cannot carry the stream. */
export function obstacleToSrt(stream: Stream | undefined): Obstacle | undefined {
  return (stream && uncarriedVideo(stream)) ?? audioObstacle(stream, srtAudio);
}

export class SrtBroadcast implements SharedOutput {
  readonly name = 'srt';
  readonly acceptsAudio = srtAudio.acceptsAudio;
  isOver = false;
  frames = 0;
  readonly #limits: EngineConfig['gopCache'];
  readonly #chunks = new TsChunks(packetsPerPayload);
  readonly #muxer = new TsMuxer({ audioBatchMs });
  readonly #viewers = new Set<SrtViewer>();
  /** Payloads since the last keyframe; undefined when they exceed the limits. */
  #sinceStart: Buffer[] | undefined;
  #bytesSinceStart = 0;
  #startDtsMs = 0;
  #tablesAtMs = Number.NEGATIVE_INFINITY;
  #hasVideo = false;
  #isAtStart = false;

  constructor(limits: EngineConfig['gopCache']) {
    this.#limits = limits;
  }

  get viewerCount(): number {
    return this.#viewers.size;
  }

  addViewer(viewer: SrtViewer): void {
    for (const [index, payload] of (this.#sinceStart ?? []).entries()) viewer.send(payload, index === 0);
    this.#viewers.add(viewer);
  }

  removeViewer(viewer: SrtViewer): void {
    this.#viewers.delete(viewer);
  }

  onPacket(packet: Packet): void {
    const isVideo = packet.track.kind === 'video';
    if (isVideo) {
      this.#hasVideo = true;
      this.frames++;
    }
    if (this.#isStart(packet)) this.#begin(packet.dtsMs);
    else if (!this.#sinceStart && this.#needsTables(packet)) this.#writeTables(packet.dtsMs);
    this.#muxer.write(packet, this.#chunks);
    this.#distribute(packet.dtsMs);
  }

  onPublisherChange(): void {
    this.#muxer.flush(this.#chunks);
    this.#hasVideo = false;
    this.#sinceStart = undefined;
    this.#tablesAtMs = Number.NEGATIVE_INFINITY;
  }

  onEnd(reason: StreamEndReason): void {
    this.#muxer.flush(this.#chunks);
    this.#distribute(this.#startDtsMs);
    this.isOver = true;
    for (const viewer of [...this.#viewers]) viewer.onStreamEnd(reason);
  }

  #isStart(packet: Packet): boolean {
    if (packet.track.kind === 'video') return packet.keyframe;
    return !this.#hasVideo && this.#needsTables(packet);
  }

  #needsTables({ dtsMs }: Packet): boolean {
    return dtsMs - this.#tablesAtMs >= tableIntervalMs;
  }

  #begin(dtsMs: number): void {
    this.#muxer.flush(this.#chunks);
    this.#distribute(dtsMs);
    this.#isAtStart = true;
    this.#sinceStart = [];
    this.#bytesSinceStart = 0;
    this.#startDtsMs = dtsMs;
    this.#writeTables(dtsMs);
  }

  #writeTables(dtsMs: number): void {
    this.#tablesAtMs = dtsMs;
    this.#muxer.writeTables(this.#chunks);
  }

  #distribute(dtsMs: number): void {
    for (const payload of this.#chunks.take()) {
      this.#remember(payload, dtsMs);
      for (const viewer of this.#viewers) viewer.send(payload, this.#isAtStart);
      this.#isAtStart = false;
    }
  }

  #remember(payload: Buffer, dtsMs: number): void {
    if (!this.#sinceStart) return;
    this.#sinceStart.push(payload);
    this.#bytesSinceStart += payload.length;
    const { maxBytes, maxDurationMs } = this.#limits;
    if (this.#bytesSinceStart > maxBytes || dtsMs - this.#startDtsMs > maxDurationMs) this.#sinceStart = undefined;
  }
}
