// MPEG-TS over HTTP. All viewers get one endless transport stream, with tables at every keyframe. A new viewer first gets separate tables,
// so a viewer can start at any keyframe.
import { isTsAudioCodec } from '@srs-stack/media/containers/mpegts/audio-framing.ts';
import { TsChunks } from '@srs-stack/media/containers/mpegts/ts-chunks.ts';
import { TsMuxer } from '@srs-stack/media/containers/mpegts/ts-muxer.ts';
import type { Packet } from '@srs-stack/media/packet.ts';
import type { VideoCodec } from '@srs-stack/media/track.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import type { BroadcastFormat, BroadcastMuxer } from '../broadcast/broadcast-format.ts';
import { type ChunkFacts, SharedChunk } from '../broadcast/shared-chunk.ts';
import type { Obstacle } from '../obstacle.ts';

/** Maximum duration of the audio frames in one PES packet, milliseconds. Two AAC frames in one PES packet need fewer bytes than in two. */
const audioBatchMs = 40;
/** Interval of tables in streams without video, milliseconds of media (ETSI TR 101 154: 100 to 500 ms). */
const tableIntervalMs = 500;
/** The tracks for the tables of a new viewer count as complete after this media time, milliseconds. */
const secondTrackWaitMs = 1000;
const carriedVideo: readonly VideoCodec[] = ['h264', 'h265'];

export const tsFormat: BroadcastFormat = {
  name: 'http-ts',
  acceptsAudio: ['aac', 'mp3'],
  acceptsVideo: true,
  obstacleOf: uncarriedVideo,
  createMuxer: (view) => new TsBroadcastMuxer(view),
};

/** Obstacle if MPEG-TS cannot carry the video codec. */
export function uncarriedVideo({ video }: Pick<StreamView, 'video'>): Obstacle | undefined {
  if (!video || carriedVideo.includes(video.codec)) return undefined;
  return { kind: 'unsupported', detail: `MPEG-TS cannot carry ${video.codec} video: play the stream over HTTP-FLV` };
}

class TsBroadcastMuxer implements BroadcastMuxer {
  pendingBytes = 0;
  #pending: Buffer[] = [];
  readonly #view: StreamView;
  readonly #chunks = new TsChunks();
  readonly #muxer = new TsMuxer({ audioBatchMs });
  #tablesAtMs = Number.NEGATIVE_INFINITY;

  constructor(view: StreamView) {
    this.#view = view;
  }

  get isReady(): boolean {
    const { video, audio } = this.#view.present;
    return (video && audio) !== undefined || this.#view.mediaMs >= secondTrackWaitMs;
  }

  write(packet: Packet): void {
    if (packet.track.kind === 'audio' && !isTsAudioCodec(packet.track.codec)) return;
    if (this.#needsTables(packet)) {
      this.#tablesAtMs = packet.dtsMs;
      this.#muxer.setTrack(packet.track, this.#chunks);
      this.#muxer.writeTables(this.#chunks);
    }
    this.#muxer.write(packet, this.#chunks);
    this.#collect();
  }

  flush(): void {
    this.#muxer.flush(this.#chunks);
    this.#collect();
  }

  onPublisherChange(): void {
    this.#tablesAtMs = Number.NEGATIVE_INFINITY;
  }

  take(facts: ChunkFacts): SharedChunk {
    const chunk = toChunk(this.#pending, this.pendingBytes, facts);
    this.#pending = [];
    this.pendingBytes = 0;
    return chunk;
  }

  lead(dtsMs: number): SharedChunk {
    const { video, audio } = this.#view.present;
    const muxer = new TsMuxer({ audioBatchMs });
    const chunks = new TsChunks(2);
    if (video) muxer.setTrack(video, chunks);
    if (audio) muxer.setTrack(audio, chunks);
    muxer.writeTables(chunks);
    const tables = chunks.take();
    return toChunk(tables, Buffer.concat(tables).length, { isStart: true, dtsMs, frames: 0 });
  }

  #needsTables({ track, keyframe, dtsMs }: Packet): boolean {
    if (track.kind === 'video') return keyframe;
    return this.#view.present.video === undefined && dtsMs - this.#tablesAtMs >= tableIntervalMs;
  }

  #collect(): void {
    for (const part of this.#chunks.take()) {
      this.#pending.push(part);
      this.pendingBytes += part.length;
    }
  }
}

function toChunk(parts: readonly Buffer[], bytes: number, facts: ChunkFacts): SharedChunk {
  return new SharedChunk(bytes, facts, (target, offset) => {
    let end = offset;
    for (const part of parts) end += part.copy(target, end);
  });
}
