// Converts Opus in MPEG-TS to packets. A control header precedes each access unit. A PES packet contains whole access units.
//
//   11 prefix=3FF | 1 start trim | 1 end trim | 1 extension | 2 | size: bytes of 255, then one byte below 255 | [trims]
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { opusPacketDurationUs, writeOpusConfig } from '../../codecs/opus.ts';
import type { AudioTrack } from '../../track.ts';
import type { EsReceiver, TsDemuxerEvents } from './es-receiver.ts';

const prefix = 0x7fe0;
const prefixMask = 0xffe0;

export class OpusReceiver implements EsReceiver {
  readonly #events: TsDemuxerEvents;
  readonly #channels: number;
  #track: AudioTrack | undefined;

  /** `channels` is 1 or 2. */
  constructor(channels: number, events: TsDemuxerEvents) {
    this.#channels = channels;
    this.#events = events;
  }

  receive({ ptsMs, data }: { ptsMs: number | undefined; data: Buffer }): void {
    if (ptsMs === undefined) return;
    let timeMs = ptsMs;
    let offset = 0;
    while (offset < data.length) {
      const unit = readAccessUnit(data, offset);
      if (unit === undefined) return;
      this.#emit(Buffer.from(unit.payload), timeMs);
      timeMs += opusPacketDurationUs(unit.payload) / 1000;
      offset = unit.end;
    }
  }

  reset(): void {}

  #emit(payload: Buffer, timeMs: number): void {
    if (payload.length === 0) return;
    if (this.#track === undefined) {
      this.#track = audioTrackFromConfig('opus', writeOpusConfig(this.#channels));
      this.#events.onTrack(this.#track);
    }
    this.#events.onPacket({ track: this.#track, keyframe: true, ptsMs: timeMs, dtsMs: timeMs, payload });
  }
}

function readAccessUnit(data: Buffer, start: number): { payload: Buffer; end: number } | undefined {
  if (start + 3 > data.length) return undefined;
  const header = data.readUInt16BE(start);
  if ((header & prefixMask) !== prefix) return undefined;
  let offset = start + 2;
  let size = 0;
  while (data[offset] === 255) {
    size += 255;
    offset++;
  }
  size += data[offset] ?? 0;
  offset += 1 + (header & 0x10 ? 2 : 0) + (header & 0x08 ? 2 : 0);
  if (header & 0x04) offset += 1 + (data[offset] ?? 0);
  const end = offset + size;
  return end > data.length ? undefined : { payload: data.subarray(offset, end), end };
}
