// Audio only over HTTP, as AAC in ADTS or as MP3 frames. Every frame contains its parameters, so viewers need no header.
import { parseAacConfig } from '@srs-stack/media/codecs/aac.ts';
import { type AdtsTemplate, createAdtsTemplate } from '@srs-stack/media/codecs/adts.ts';
import type { AudioPacket, Packet } from '@srs-stack/media/packet.ts';
import type { AudioTrack } from '@srs-stack/media/track.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import type { BroadcastFormat, BroadcastMuxer } from '../broadcast/broadcast-format.ts';
import { type ChunkFacts, SharedChunk } from '../broadcast/shared-chunk.ts';
import type { Obstacle } from '../obstacle.ts';

/** A stream without audio packets for this media time counts as having no audio, milliseconds. */
const audioWaitMs = 1000;

export const aacFormat: BroadcastFormat = {
  name: 'http-aac',
  acceptsAudio: ['aac'],
  acceptsVideo: false,
  obstacleOf: silence,
  createMuxer: () => new AudioMuxer(framedAsAdts()),
};

export const mp3Format: BroadcastFormat = {
  name: 'http-mp3',
  acceptsAudio: ['mp3'],
  acceptsVideo: false,
  obstacleOf: (stream) => silence(stream) ?? otherCodec(stream),
  createMuxer: () => new AudioMuxer(({ payload }) => payload),
};

function silence({ present, mediaMs }: StreamView): Obstacle | undefined {
  if (present.audio || mediaMs < audioWaitMs) return undefined;
  return { kind: 'absent', detail: 'the stream has no audio' };
}

function otherCodec({ audio }: StreamView): Obstacle | undefined {
  if (!audio || audio.codec === 'mp3') return undefined;
  return { kind: 'absent', detail: `the audio of this stream is ${audio.codec}, not MP3: play it as .aac` };
}

type FrameWriter = (packet: AudioPacket) => Buffer | undefined;

class AudioMuxer implements BroadcastMuxer {
  readonly isReady = true;
  pendingBytes = 0;
  #frames: Buffer[] = [];
  readonly #toFrame: FrameWriter;

  constructor(toFrame: FrameWriter) {
    this.#toFrame = toFrame;
  }

  write(packet: Packet): void {
    const frame = packet.track.kind === 'audio' ? this.#toFrame(packet as AudioPacket) : undefined;
    if (!frame) return;
    this.#frames.push(frame);
    this.pendingBytes += frame.length;
  }

  take(facts: ChunkFacts): SharedChunk {
    const chunk = SharedChunk.of(Buffer.concat(this.#frames), facts);
    this.#frames = [];
    this.pendingBytes = 0;
    return chunk;
  }

  lead(dtsMs: number): SharedChunk {
    return SharedChunk.of(Buffer.alloc(0), { isStart: true, dtsMs, frames: 0 });
  }
}

/** Drops frames that ADTS cannot carry. */
function framedAsAdts(): FrameWriter {
  let known: AudioTrack | undefined;
  let template: AdtsTemplate | undefined;
  return ({ track, payload }) => {
    if (track !== known) {
      const config = parseAacConfig(track.config);
      template = config && createAdtsTemplate(config);
      known = track;
    }
    if (!template || payload.length > template.maxAccessUnitSize) return undefined;
    const frame = Buffer.allocUnsafe(template.bytes.length + payload.length);
    payload.copy(frame, template.writeTo(frame, 0, payload.length));
    return frame;
  };
}
