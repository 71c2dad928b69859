// Parses the head of an MPEG-TS segment (ISO/IEC 13818-1): codecs, configurations and first times. Changes of these values may require a
// new file. Pure; never throws on invalid data.
import { createHash } from 'node:crypto';
import { readAudioConfiguration, readVideoConfiguration } from './elementary-configuration.ts';
import { packetBytes, payloadOf, pidOf, readProgramMapPid, sectionOf, startsUnit, syncByte } from './ts-packet.ts';

export interface SegmentTrack {
  /** Codec. */
  readonly type: string;
  readonly kind: 'video' | 'audio';
  /** Hash of the codec configuration; '' if not found. */
  readonly configuration: string;
  readonly pid: number;
  readonly isInFirstTable: boolean;
  /** Undefined if the parsed bytes contain no frame of the track. */
  readonly first: FramePlace | undefined;
  /** First frame of the track at which decoders can start. */
  readonly begin: FramePlace | undefined;
}

interface FramePlace {
  /** Bytes before the packet with the start of the frame. */
  readonly offset: number;
  /** Presentation time; 90 kHz, 33 bits. */
  readonly ticks: number;
  /** Track kinds in the last program table before the frame, in order. */
  readonly order: string;
}

export interface SegmentMedia {
  readonly tracks: readonly SegmentTrack[];
  /** First presentation times of each kind; 90 kHz, 33 bits. */
  readonly starts: { readonly video: number | undefined; readonly audio: number | undefined };
}

/** Bytes parsed of the beginning of a PES packet: parameter sets come first. */
const maxPesHead = 4096;
export const ticksPerSecond = 90_000;
export const timestampModulus = 2 ** 33;
/** Maximum difference of continuous times, seconds. A longer gap is audible. */
const continuityToleranceSeconds = 0.5;

interface Elementary {
  readonly pid: number;
  readonly type: string;
  readonly isVideo: boolean;
  readonly isInFirstTable: boolean;
  /** The current PES packet: whether it is open, its first bytes, and its offset in the file. */
  isOpen: boolean;
  head: Buffer[];
  size: number;
  offset: number;
  order: string;
  configuration: string;
  first: FramePlace | undefined;
  begin: FramePlace | undefined;
}

const withConfiguration = ['h264', 'h265', 'aac', 'mp3'];
const typeNames: Record<number, string> = { 27: 'h264', 36: 'h265', 15: 'aac', 3: 'mp3', 4: 'mp3' };

export function readSegmentMedia(head: Buffer): SegmentMedia {
  const reader = new SegmentMediaReader();
  reader.push(head);
  return reader.media();
}

/** Parses a segment in chunks, because a track may begin late. */
export class SegmentMediaReader {
  readonly #streams: Elementary[] = [];
  #mapPid = -1;
  #newestOrder: string | undefined;
  /** `#offset`: bytes of parsed packets. `#rest`: bytes of an incomplete packet. */
  #offset = 0;
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Buffer): void {
    const data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    let at = 0;
    for (; at + packetBytes <= data.length && data[at] === syncByte; at += packetBytes)
      this.#read(data.subarray(at, at + packetBytes), this.#offset + at);
    this.#offset += at;
    this.#rest = data.subarray(at, at + packetBytes);
  }

  /** True if a frame was found at which decoders can start. */
  hasBegun(kind: SegmentTrack['kind']): boolean {
    return this.#streams.some(({ isVideo, begin }) => isVideo === (kind === 'video') && begin !== undefined);
  }

  media(): SegmentMedia {
    for (const stream of this.#streams) closePes(stream);
    const startOf = (kind: SegmentTrack['kind']) =>
      this.#streams.find((stream) => kindOf(stream) === kind && stream.first !== undefined)?.first?.ticks;
    const starts = { video: startOf('video'), audio: startOf('audio') };
    const tracks = this.#streams.map(({ type, isVideo, pid, isInFirstTable, configuration, first, begin }) => {
      return { type, kind: kindOf({ isVideo }), configuration, pid, isInFirstTable, first, begin };
    });
    return { tracks, starts };
  }

  #read(packet: Buffer, offset: number): void {
    const pid = pidOf(packet);
    const payload = payloadOf(packet);
    const isStart = startsUnit(packet);
    if (payload.length === 0) return;
    if (pid === 0 && isStart) this.#mapPid = readProgramMapPid(payload);
    else if (pid === this.#mapPid && isStart) this.#addNew(readProgramMap(payload));
    else {
      const stream = this.#streams.find((each) => each.pid === pid);
      if (!stream || stream.begin !== undefined) return;
      if (isStart) openPes(stream, offset, this.#newestOrder ?? '');
      if (stream.begin === undefined) collect(stream, payload);
    }
  }

  /** Adds the streams of a table that are not known yet. With SRT, often only audio is announced first. */
  #addNew(announced: readonly Announced[]): void {
    const isInFirstTable = this.#newestOrder === undefined;
    this.#newestOrder = announced.map(kindOf).join();
    const none = {
      isOpen: false,
      size: 0,
      offset: 0,
      order: '',
      configuration: '',
      first: undefined,
      begin: undefined,
    };
    for (const stream of announced)
      if (!this.#streams.some(({ pid }) => pid === stream.pid))
        this.#streams.push({ ...stream, isInFirstTable, ...none, head: [] });
  }
}

function kindOf({ isVideo }: { isVideo: boolean }): SegmentTrack['kind'] {
  return isVideo ? 'video' : 'audio';
}

/** First presentation time of all tracks, which FFmpeg uses as the start. Handles a clock wrap between the tracks. */
export function firstTicksOf({ starts: { video, audio } }: SegmentMedia): number | undefined {
  if (video === undefined || audio === undefined) return video ?? audio;
  const isVideoFirst = (audio - video + timestampModulus) % timestampModulus < timestampModulus / 2;
  return isVideoFirst ? video : audio;
}

type Announced = Pick<Elementary, 'pid' | 'type' | 'isVideo'>;

function readProgramMap(payload: Buffer): Announced[] {
  const section = sectionOf(payload);
  if (section.length < 12) return [];
  const streams: Announced[] = [];
  let at = 12 + (section.readUInt16BE(10) & 0x0fff);
  while (at + 5 <= section.length) {
    const code = section[at] ?? 0;
    const descriptors = section.subarray(at + 5, at + 5 + (section.readUInt16BE(at + 3) & 0x0fff));
    const type = code === 6 && descriptors.includes('Opus') ? 'opus' : (typeNames[code] ?? `type-${code}`);
    const pid = section.readUInt16BE(at + 1) & 0x1fff;
    streams.push({ pid, type, isVideo: /^h26/.test(type) });
    at += 5 + descriptors.length;
  }
  return streams;
}

function openPes(stream: Elementary, offset: number, order: string): void {
  closePes(stream);
  stream.isOpen = true;
  stream.offset = offset;
  stream.order = order;
}

/** Collects the beginning of PES packets until the configuration is found. */
function collect(stream: Elementary, payload: Buffer): void {
  if (!stream.isOpen) return;
  stream.head.push(payload);
  stream.size += payload.length;
  if (stream.size >= maxPesHead) closePes(stream);
}

function closePes(stream: Elementary): void {
  if (stream.isOpen) readHeadOf(stream);
  stream.isOpen = false;
  stream.head = [];
  stream.size = 0;
}

function readHeadOf(stream: Elementary): void {
  const { ticks, payload } = readPes(Buffer.concat(stream.head));
  if (ticks === undefined || stream.begin !== undefined) return;
  const { type, isVideo, offset, order } = stream;
  stream.first ??= { offset, ticks, order };
  const bytes = isVideo ? readVideoConfiguration(type, payload) : readAudioConfiguration(type, payload);
  if (bytes) stream.configuration = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  // For other codecs, decoders can start at any frame.
  if (bytes || !withConfiguration.includes(type)) stream.begin = { offset, ticks, order };
}

function readPes(pes: Buffer): { ticks: number | undefined; payload: Buffer } {
  if (pes.length < 9 || pes.readUIntBE(0, 3) !== 1) return { ticks: undefined, payload: Buffer.alloc(0) };
  const hasTime = ((pes[7] ?? 0) & 0x80) !== 0 && pes.length >= 14;
  return { ticks: hasTime ? readTicks(pes.subarray(9, 14)) : undefined, payload: pes.subarray(9 + (pes[8] ?? 0)) };
}

/** 33 bits in 5 bytes with marker bits in between (§2.4.3.6). */
function readTicks(bytes: Buffer): number {
  const high = ((bytes[0] ?? 0) >> 1) & 7;
  return high * 2 ** 30 + (bytes.readUInt16BE(1) >> 1) * 2 ** 15 + (bytes.readUInt16BE(3) >> 1);
}

/** True if one file can contain both segments: no track kind changes its codec. */
export function fitsTogether(a: SegmentMedia, b: SegmentMedia): boolean {
  return b.tracks.every(({ kind, type }) => (trackOf(a, kind)?.type ?? type) === type);
}

/** Track kinds that are new, or whose configuration changed since the previous segment. */
export function changesOf(before: SegmentMedia, next: SegmentMedia): SegmentTrack['kind'][] {
  const isNew = ({ kind, configuration }: SegmentTrack) => {
    const known = trackOf(before, kind);
    if (known === undefined) return before.tracks.length > 0;
    return configuration !== '' && known.configuration !== '' && configuration !== known.configuration;
  };
  return next.tracks.filter(isNew).map(({ kind }) => kind);
}

/** Adds a segment: keeps the newest known configuration of each track kind. */
export function joinMedia(before: SegmentMedia | undefined, next: SegmentMedia): SegmentMedia {
  if (before === undefined) return next;
  const isKnown = ({ kind, configuration }: SegmentTrack) => configuration !== '' || !trackOf(before, kind);
  const newest = next.tracks.filter(isKnown);
  const others = before.tracks.filter(({ kind }) => !newest.some((track) => track.kind === kind));
  return { ...next, tracks: [...newest, ...others] };
}

/** True if the times of video or audio continue the previous segment, or are unknown. One of the tracks may begin or end here. */
export function timesContinue(before: SegmentMedia, durationMs: number, next: SegmentMedia): boolean {
  const goesOn = (from: number | undefined, to: number | undefined) => {
    if (from === undefined || to === undefined) return undefined;
    const passed = (to - from + timestampModulus) % timestampModulus;
    return Math.abs(passed / ticksPerSecond - durationMs / 1000) <= continuityToleranceSeconds;
  };
  const found = (['video', 'audio'] as const).map((kind) => goesOn(before.starts[kind], next.starts[kind]));
  if (found.includes(true)) return true;
  return found.includes(false) ? false : (goesOn(firstTicksOf(before), firstTicksOf(next)) ?? true);
}

export function trackOf({ tracks }: SegmentMedia, kind: SegmentTrack['kind']): SegmentTrack | undefined {
  return tracks.find((track) => track.kind === kind);
}
