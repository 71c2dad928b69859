// Converts packets of one stream to MPEG-TS: one program with at most one video and one audio stream. The caller decides when to repeat
// tables, and may flush audio early.
import type { AudioPacket, Packet, VideoPacket } from '../../packet.ts';
import type { AudioTrack, Track, VideoTrack } from '../../track.ts';
import { AudioBatch } from './audio-batch.ts';
import { type AudioFraming, createAudioFraming, maxAudioPrefixSize } from './audio-framing.ts';
import { PesWriter } from './pes-writer.ts';
import { type ElementaryStream, writePat, writePmt } from './program-tables.ts';
import { TablePackets } from './table-packets.ts';
import type { TsSink } from './ts-chunks.ts';
import { toTicks } from './ts-packet.ts';
import { createVideoFraming, startCode, type VideoFraming } from './video-framing.ts';

export interface TsMuxerOptions {
  /** Maximum time that an audio frame waits for a shared PES packet, milliseconds. 0 sends every frame immediately. */
  readonly audioBatchMs: number;
}

const pmtPid = 0x1000;
const videoPid = 0x100;
const audioPid = 0x101;
const videoStreamId = 0xe0;
/** Offset of all timestamps, milliseconds. Keeps the clock reference positive when a stream starts at 0. */
const timestampOffsetMs = 1_000;
/** Distance of the clock reference behind decode time, milliseconds: allows for batched audio and uneven interleaving. */
const clockLeadMs = 300;

export class TsMuxer {
  readonly #audioBatchMs: number;
  readonly #tables = new TablePackets(pmtPid);
  readonly #videoPes = new PesWriter(videoPid, videoStreamId);
  readonly #batch = new AudioBatch();
  readonly #prefix = Buffer.alloc(maxAudioPrefixSize);
  #audioPes: PesWriter | undefined;
  #videoTrack: VideoTrack | undefined;
  #audioTrack: AudioTrack | undefined;
  #video: VideoFraming | undefined;
  #audio: AudioFraming | undefined;
  #tablesStale = true;

  constructor({ audioBatchMs }: TsMuxerOptions) {
    this.#audioBatchMs = audioBatchMs;
  }

  /**
   * Announces a track before its first packet, so that the first program tables list the track. Returns false when MPEG-TS cannot carry the
   * track; its packets are then ignored.
   */
  setTrack(track: Track, sink: TsSink): boolean {
    if (track.kind === 'video') return this.#setVideoTrack(track);
    return this.#setAudioTrack(track, sink);
  }

  /** Writes the program tables. Call at the start of a segment, and regularly in a stream that viewers join. */
  writeTables(sink: TsSink): void {
    if (this.#tablesStale) this.#updateTables();
    this.#tables.writeTo(sink);
  }

  /** Muxes one packet. Audio may wait for more frames. Writes the tables first if the tracks have changed. */
  write(packet: Packet, sink: TsSink): void {
    if (packet.track.kind === 'video') this.#writeVideo(packet as VideoPacket, sink);
    else this.#writeAudio(packet as AudioPacket, sink);
  }

  /** Emits the pending audio; call before a segment ends or a viewer is stopped. */
  flush(sink: TsSink): void {
    const framing = this.#audio;
    const batch = this.#batch;
    if (batch.isEmpty || framing === undefined || this.#audioPes === undefined) return;
    this.#writeTablesIfStale(sink);
    const pts = toTicks(batch.startMs + timestampOffsetMs);
    const carriesClock = this.#video === undefined;
    const pcr = carriesClock ? toTicks(batch.startMs + timestampOffsetMs - clockLeadMs) : undefined;
    this.#audioPes.begin(sink, { size: batch.size, pts, dts: pts, pcr, randomAccess: carriesClock });
    for (const frame of batch.frames) {
      framing.writePrefix(this.#prefix, frame.length);
      this.#audioPes.append(this.#prefix, 0, framing.prefixSize(frame.length));
      this.#audioPes.append(frame, 0, frame.length);
    }
    batch.clear();
  }

  #setVideoTrack(track: VideoTrack): boolean {
    if (track === this.#videoTrack) return this.#video !== undefined;
    const framing = createVideoFraming(track);
    if (framing?.streamType !== this.#video?.streamType) this.#tablesStale = true;
    this.#videoTrack = track;
    this.#video = framing;
    return framing !== undefined;
  }

  #setAudioTrack(track: AudioTrack, sink: TsSink): boolean {
    if (track === this.#audioTrack) return this.#audio !== undefined;
    this.flush(sink);
    const framing = createAudioFraming(track);
    const isSameStream =
      framing?.streamType === this.#audio?.streamType &&
      framing?.descriptors.equals(this.#audio?.descriptors ?? Buffer.alloc(0)) === true;
    if (!isSameStream) {
      this.#tablesStale = true;
      this.#audioPes = framing && new PesWriter(audioPid, framing.streamId);
    }
    this.#audioTrack = track;
    this.#audio = framing;
    return framing !== undefined;
  }

  #writeVideo({ track, payload, keyframe, ptsMs, dtsMs }: VideoPacket, sink: TsSink): void {
    this.#setVideoTrack(track);
    const framing = this.#video;
    if (framing === undefined) return;
    this.#writeTablesIfStale(sink);
    if (!this.#batch.isEmpty && dtsMs - this.#batch.startMs >= this.#audioBatchMs) this.flush(sink);
    const { size, hasParameterSets, unitCount } = measure(payload, framing);
    if (unitCount === 0) return;
    const inserted = keyframe && !hasParameterSets ? framing.parameterSets : undefined;
    const pes = this.#videoPes;
    pes.begin(sink, {
      size: framing.delimiter.length + (inserted?.length ?? 0) + size,
      pts: toTicks(ptsMs + timestampOffsetMs),
      dts: toTicks(dtsMs + timestampOffsetMs),
      pcr: toTicks(dtsMs + timestampOffsetMs - clockLeadMs),
      randomAccess: keyframe,
    });
    pes.append(framing.delimiter, 0, framing.delimiter.length);
    if (inserted !== undefined) pes.append(inserted, 0, inserted.length);
    appendUnits(payload, framing, pes);
  }

  #writeAudio({ track, payload, ptsMs }: AudioPacket, sink: TsSink): void {
    this.#setAudioTrack(track, sink);
    const framing = this.#audio;
    if (framing === undefined || payload.length === 0) return;
    const prefixSize = framing.prefixSize(payload.length);
    if (prefixSize < 0) return;
    if (!this.#batch.accepts(ptsMs, payload.length + prefixSize)) this.flush(sink);
    this.#batch.add(payload, ptsMs, framing);
    if (this.#batch.durationMs >= this.#audioBatchMs) this.flush(sink);
  }

  #writeTablesIfStale(sink: TsSink): void {
    if (this.#tablesStale) this.writeTables(sink);
  }

  #updateTables(): void {
    const streams: ElementaryStream[] = [];
    if (this.#video) streams.push({ pid: videoPid, ...pick(this.#video) });
    if (this.#audio) streams.push({ pid: audioPid, ...pick(this.#audio) });
    const pcrPid = this.#video || !this.#audio ? videoPid : audioPid;
    this.#tables.set(writePat(pmtPid), (version) => writePmt({ pcrPid, streams }, version));
    this.#tablesStale = false;
  }
}

function pick({ streamType, descriptors }: VideoFraming | AudioFraming): Omit<ElementaryStream, 'pid'> {
  return { streamType, descriptors };
}

/** Size of the access unit without the encoder's own delimiters. Stops at a unit that exceeds the remaining bytes. */
function measure(payload: Buffer, framing: VideoFraming) {
  let size = 0;
  let unitCount = 0;
  let hasParameterSets = false;
  for (let at = 0; at + 4 < payload.length; ) {
    const end = at + 4 + payload.readUInt32BE(at);
    if (end > payload.length) break;
    const kind = framing.classify(payload[at + 4]!);
    if (kind === 'parameter-set') hasParameterSets = true;
    if (kind !== 'delimiter' && end > at + 4) {
      size += end - at;
      unitCount++;
    }
    at = end;
  }
  return { size, hasParameterSets, unitCount };
}

function appendUnits(payload: Buffer, framing: VideoFraming, pes: PesWriter): void {
  for (let at = 0; at + 4 < payload.length; ) {
    const end = at + 4 + payload.readUInt32BE(at);
    if (end > payload.length) break;
    if (framing.classify(payload[at + 4]!) !== 'delimiter' && end > at + 4) {
      pes.append(startCode, 0, startCode.length);
      pes.append(payload, at + 4, end);
    }
    at = end;
  }
}
