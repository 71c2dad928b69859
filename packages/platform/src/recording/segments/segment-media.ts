// Looks into the head of an MPEG-TS segment (ISO/IEC 13818-1): which codecs with which configuration, and its first time.
// Enough to see what changes in a recording, and that one must go on in a new file. Pure; never throws on garbage.
import { createHash } from 'node:crypto';
import { readAudioConfiguration, readVideoConfiguration } from './elementary-configuration.ts';

interface SegmentTrack {
  /** Codec. */
  readonly type: string;
  readonly kind: 'video' | 'audio';
  /** A mark of its configuration; '' when the head did not show it. */
  readonly configuration: string;
}

export interface SegmentMedia {
  /** One entry per elementary stream, in the order in which they were announced. */
  readonly tracks: readonly SegmentTrack[];
  /** First presentation time of the picture, or of the sound when there is no picture; 90 kHz, 33 bits. */
  readonly startTicks: number | undefined;
}

const packetBytes = 188;
const syncByte = 0x47;
/** Beginning of a PES packet that is looked into, bytes: parameter sets come first. */
const maxPesHead = 4096;
export const ticksPerSecond = 90_000;
export const timestampModulus = 2 ** 33;
/** Times that differ by more do not continue each other, seconds: half a second is heard. */
const continuityToleranceSeconds = 0.5;

interface Elementary {
  readonly pid: number;
  readonly type: string;
  readonly isVideo: boolean;
  head: Buffer[];
  size: number;
  isOver: boolean;
}

const typeNames: Record<number, string> = { 27: 'h264', 36: 'h265', 15: 'aac', 3: 'mp3', 4: 'mp3' };

export function readSegmentMedia(head: Buffer): SegmentMedia {
  const found = { mapPid: -1, streams: [] as Elementary[] };
  for (let at = 0; at + packetBytes <= head.length && head[at] === syncByte; at += packetBytes) {
    const packet = head.subarray(at, at + packetBytes);
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const payload = payloadOf(packet);
    const isStart = ((packet[1] ?? 0) & 0x40) !== 0;
    if (payload.length === 0) continue;
    if (pid === 0 && isStart) found.mapPid = readProgramMapPid(payload);
    else if (pid === found.mapPid && isStart) addNew(found.streams, readProgramMap(payload));
    else {
      const stream = found.streams.find((each) => each.pid === pid);
      if (stream) collect(stream, payload, isStart);
    }
  }
  return describe(found.streams);
}

/** A stream may be announced by a later table only: of what is published over SRT the sound is often known first. */
function addNew(streams: Elementary[], announced: readonly Elementary[]): void {
  for (const stream of announced) if (!streams.some(({ pid }) => pid === stream.pid)) streams.push(stream);
}

function payloadOf(packet: Buffer): Buffer {
  const control = ((packet[3] ?? 0) >> 4) & 3;
  if ((control & 1) === 0) return packet.subarray(0, 0);
  return packet.subarray(control === 3 ? Math.min(packetBytes, 5 + (packet[4] ?? 0)) : 4);
}

/** Section of a payload that begins one: behind the pointer field. */
function sectionOf(payload: Buffer): Buffer {
  const section = payload.subarray(1 + (payload[0] ?? 0));
  const length = section.length >= 3 ? section.readUInt16BE(1) & 0x0fff : 0;
  return section.subarray(0, Math.max(0, 3 + length - 4));
}

function readProgramMapPid(payload: Buffer): number {
  const section = sectionOf(payload);
  for (let at = 8; at + 4 <= section.length; at += 4) {
    if (section.readUInt16BE(at) !== 0) return section.readUInt16BE(at + 2) & 0x1fff;
  }
  return -1;
}

function readProgramMap(payload: Buffer): Elementary[] {
  const section = sectionOf(payload);
  if (section.length < 12) return [];
  const streams: Elementary[] = [];
  let at = 12 + (section.readUInt16BE(10) & 0x0fff);
  while (at + 5 <= section.length) {
    const code = section[at] ?? 0;
    const descriptors = section.subarray(at + 5, at + 5 + (section.readUInt16BE(at + 3) & 0x0fff));
    const type = code === 6 && descriptors.includes('Opus') ? 'opus' : (typeNames[code] ?? `type-${code}`);
    const pid = section.readUInt16BE(at + 1) & 0x1fff;
    streams.push({ pid, type, isVideo: /^h26/.test(type), head: [], size: 0, isOver: false });
    at += 5 + descriptors.length;
  }
  return streams;
}

/** Keeps the beginning of the first PES packet of a stream. */
function collect(stream: Elementary, payload: Buffer, isStart: boolean): void {
  if (stream.isOver || (!isStart && stream.size === 0)) return;
  if (isStart && stream.size > 0) {
    stream.isOver = true;
    return;
  }
  stream.head.push(payload);
  stream.size += payload.length;
  stream.isOver = stream.size >= maxPesHead;
}

function describe(streams: readonly Elementary[]): SegmentMedia {
  const heads = streams.map((stream) => ({ ...stream, pes: readPes(Buffer.concat(stream.head)) }));
  const timed = heads.find(({ isVideo, pes }) => isVideo && pes.ticks !== undefined) ?? heads[0];
  const tracks = heads.map(({ type, isVideo, pes }) => {
    const bytes = isVideo ? readVideoConfiguration(type, pes.payload) : readAudioConfiguration(type, pes.payload);
    const kind: SegmentTrack['kind'] = isVideo ? 'video' : 'audio';
    return { type, kind, configuration: bytes ? createHash('sha256').update(bytes).digest('hex').slice(0, 16) : '' };
  });
  return { tracks, startTicks: timed?.pes.ticks };
}

function readPes(pes: Buffer): { ticks: number | undefined; payload: Buffer } {
  if (pes.length < 9 || pes.readUIntBE(0, 3) !== 1) return { ticks: undefined, payload: Buffer.alloc(0) };
  const hasTime = ((pes[7] ?? 0) & 0x80) !== 0 && pes.length >= 14;
  return { ticks: hasTime ? readTicks(pes.subarray(9, 14)) : undefined, payload: pes.subarray(9 + (pes[8] ?? 0)) };
}

/** 33 bits in 5 bytes, marker bits between (§2.4.3.6). */
function readTicks(bytes: Buffer): number {
  const high = ((bytes[0] ?? 0) >> 1) & 7;
  return high * 2 ** 30 + (bytes.readUInt16BE(1) >> 1) * 2 ** 15 + (bytes.readUInt16BE(3) >> 1);
}

/** True when both can be in one file: no track has another codec. */
export function fitsTogether(a: SegmentMedia, b: SegmentMedia): boolean {
  return b.tracks.every(({ kind, type }) => (trackOf(a, kind)?.type ?? type) === type);
}

/** What begins anew with a segment: kinds whose configuration is known to differ from before, or that were not there. */
export function changesOf(before: SegmentMedia, next: SegmentMedia): SegmentTrack['kind'][] {
  const isNew = ({ kind, configuration }: SegmentTrack) => {
    const known = trackOf(before, kind);
    if (known === undefined) return before.tracks.length > 0;
    return configuration !== '' && known.configuration !== '' && configuration !== known.configuration;
  };
  return next.tracks.filter(isNew).map(({ kind }) => kind);
}

/** What is known after one more segment: of each kind the newest configuration. */
export function joinMedia(before: SegmentMedia | undefined, next: SegmentMedia): SegmentMedia {
  if (before === undefined) return next;
  const isKnown = ({ kind, configuration }: SegmentTrack) => configuration !== '' || !trackOf(before, kind);
  const newest = next.tracks.filter(isKnown);
  const others = before.tracks.filter(({ kind }) => !newest.some((track) => track.kind === kind));
  return { tracks: [...newest, ...others], startTicks: next.startTicks };
}

/** True when times go on where the segment before ended, or nothing is known. */
export function timesContinue(before: SegmentMedia, durationMs: number, next: SegmentMedia): boolean {
  if (before.startTicks === undefined || next.startTicks === undefined) return true;
  const passed = (next.startTicks - before.startTicks + timestampModulus) % timestampModulus;
  return Math.abs(passed / ticksPerSecond - durationMs / 1000) <= continuityToleranceSeconds;
}

export function trackOf({ tracks }: SegmentMedia, kind: SegmentTrack['kind']): SegmentTrack | undefined {
  return tracks.find((track) => track.kind === kind);
}
