// Converts MPEG-TS to tracks and packets: one supported video stream and one supported audio stream of the first program. Skips garbage;
// memory is bounded.
import { ac3Syntax, adtsSyntax, FramedAudioReceiver, mpegAudioSyntax } from './audio-receiver.ts';
import type { EsReceiver, TsDemuxerEvents } from './es-receiver.ts';
import { LatmSyntax } from './latm-syntax.ts';
import { OpusReceiver } from './opus-receiver.ts';
import { PesAssembler } from './pes-assembler.ts';
import { type ElementaryStream, type ProgramMap, parsePat, parsePmt } from './program-tables.ts';
import { SectionAssembler } from './section-assembler.ts';
import { TimestampUnwrapper } from './timestamp-unwrapper.ts';
import { patPid, tsPacketSize, tsStreamType, tsSyncByte } from './ts-packet.ts';
import { privateCodecOf, unsupportedStreamOf } from './unsupported-stream.ts';
import { VideoReceiver } from './video-receiver.ts';

export type { TsDemuxerEvents } from './es-receiver.ts';

export interface TsDemuxerStats {
  skippedBytes: number;
  /** Losses per stream: gaps in a continuity counter, and losses that `lose` reported. */
  discontinuities: number;
}

interface OpenStream {
  readonly source: ElementaryStream;
  readonly kind: 'video' | 'audio';
  readonly assembler: PesAssembler;
  readonly receiver: EsReceiver;
  continuity: number;
}

const continuityModulus = 16;
const opusRegistration = Buffer.from([5, 4, 0x4f, 0x70, 0x75, 0x73]);

export class TsDemuxer {
  readonly stats: TsDemuxerStats = { skippedBytes: 0, discontinuities: 0 };
  readonly #events: TsDemuxerEvents;
  readonly #clock = new TimestampUnwrapper();
  readonly #pat = new SectionAssembler();
  #pmt = new SectionAssembler();
  #pmtPid: number | undefined;
  #streams = new Map<number, OpenStream>();
  #namedLeftOut = ':';
  #leftover: Buffer = Buffer.alloc(0);

  constructor(events: TsDemuxerEvents) {
    this.#events = events;
  }

  /** Accepts any number of bytes, split anywhere. The buffer may be reused after the call. */
  push(bytes: Buffer): void {
    const data = this.#leftover.length > 0 ? Buffer.concat([this.#leftover, bytes]) : bytes;
    let offset = 0;
    while (offset + tsPacketSize <= data.length) {
      if (!isPacketStart(data, offset)) {
        const next = findPacketStart(data, offset + 1);
        this.stats.skippedBytes += next - offset;
        offset = next;
        continue;
      }
      this.#readPacket(data.subarray(offset, offset + tsPacketSize));
      offset += tsPacketSize;
    }
    this.#leftover = offset < data.length ? Buffer.from(data.subarray(offset)) : Buffer.alloc(0);
  }

  /** Ends the input. Emits the last access unit of each stream, except a truncated one. */
  end(): void {
    for (const { assembler } of this.#streams.values()) assembler.end();
  }

  /**
   * Call when the network has lost packets. A loss of 16 or more packets drops partial frames; the 4-bit continuity counters detect smaller
   * losses.
   */
  lose(packets: number): void {
    if (packets < continuityModulus) return;
    for (const stream of this.#streams.values()) this.#restart(stream);
  }

  #readPacket(packet: Buffer): void {
    const hasError = (packet[1]! & 0x80) !== 0;
    const isScrambled = (packet[3]! & 0xc0) !== 0;
    const pid = packet.readUInt16BE(1) & 0x1fff;
    const payload = payloadOf(packet);
    if (hasError || isScrambled || payload === undefined) return;
    const stream = this.#streams.get(pid);
    if (stream !== undefined) this.#readStream(stream, packet, payload);
    else if (pid === patPid) this.#readPat(this.#pat.push(payload, isUnitStart(packet)));
    else if (pid === this.#pmtPid) this.#readPmt(this.#pmt.push(payload, isUnitStart(packet)));
  }

  #readStream(stream: OpenStream, packet: Buffer, payload: Buffer): void {
    const continuity = packet[3]! % continuityModulus;
    if (continuity === stream.continuity) return;
    if (stream.continuity >= 0 && continuity !== (stream.continuity + 1) % continuityModulus) this.#restart(stream);
    stream.continuity = continuity;
    stream.assembler.push(payload, { isUnitStart: isUnitStart(packet), isPadded: stuffingOf(packet) > 0 });
  }

  #restart(stream: OpenStream): void {
    this.stats.discontinuities++;
    stream.assembler.discard();
    stream.receiver.reset();
    stream.continuity = -1;
  }

  #readPat(section: Buffer | undefined): void {
    const pid = section && parsePat(section);
    if (pid === undefined || pid === this.#pmtPid) return;
    this.#pmtPid = pid;
    this.#pmt = new SectionAssembler();
  }

  #readPmt(section: Buffer | undefined): void {
    const map = section && parsePmt(section);
    if (map !== undefined) this.#openStreams(map);
  }

  /** Keeps unchanged streams, reopens changed streams and drops removed streams. */
  #openStreams({ streams }: ProgramMap): void {
    const open = new Map<number, OpenStream>();
    // With several languages or codecs, prefers the first stream that players support without conversion.
    const wanted = [...streams].sort((a, b) => Number(isConverted(a)) - Number(isConverted(b)));
    for (const source of wanted) {
      const kind = kindOf(source);
      if (kind === undefined || [...open.values()].some((other) => other.kind === kind)) continue;
      const known = this.#streams.get(source.pid);
      const isSame =
        known?.source.streamType === source.streamType && known.source.descriptors.equals(source.descriptors);
      open.set(source.pid, isSame ? known : this.#openStream(source, kind));
    }
    for (const [pid, stream] of this.#streams) if (open.get(pid) !== stream) stream.assembler.flush();
    this.#streams = open;
    this.#nameLeftOut(streams);
  }

  #nameLeftOut(streams: readonly ElementaryStream[]): void {
    const taken = new Set([...this.#streams.values()].map(({ kind }) => kind));
    const rest = streams.filter(({ pid }) => !this.#streams.has(pid));
    const unsupported = rest
      .map(unsupportedStreamOf)
      .filter((stream) => stream !== undefined)
      .filter(({ kind }) => !taken.has(kind));
    const extra = rest
      .map((stream) => kindOf(stream) ?? unsupportedStreamOf(stream)?.kind)
      .filter((kind) => kind !== undefined)
      .filter((kind) => taken.has(kind));
    const named = `${unsupported.map(({ codec }) => codec).join()}:${extra.join()}`;
    if (named === this.#namedLeftOut) return;
    this.#namedLeftOut = named;
    this.#events.onLeftOut?.({ unsupported, extra });
  }

  #openStream(source: ElementaryStream, kind: 'video' | 'audio'): OpenStream {
    const receiver = createReceiver(source, this.#events);
    if (kind === 'video') this.#events.onVideoAnnounced?.();
    const assembler = new PesAssembler(({ pts, dts, data }) => {
      const dtsMs = dts === undefined ? undefined : this.#clock.toMs(dts);
      const ptsMs = pts === undefined ? undefined : this.#clock.toMs(pts);
      receiver.receive({ ptsMs, dtsMs, data });
    });
    const { pid, streamType, descriptors } = source;
    return {
      source: { pid, streamType, descriptors: Buffer.from(descriptors) },
      kind,
      assembler,
      receiver,
      continuity: -1,
    };
  }
}

/** Whether a packet starts at `offset`: a sync byte, and a second sync byte 188 bytes later if already received. */
function isPacketStart(data: Buffer, offset: number): boolean {
  if (data[offset] !== tsSyncByte) return false;
  const next = offset + tsPacketSize;
  return next >= data.length || data[next] === tsSyncByte;
}

function findPacketStart(data: Buffer, from: number): number {
  let offset = data.indexOf(tsSyncByte, from);
  while (offset >= 0 && !isPacketStart(data, offset)) offset = data.indexOf(tsSyncByte, offset + 1);
  return offset < 0 ? data.length : offset;
}

function isUnitStart(packet: Buffer): boolean {
  return (packet[1]! & 0x40) !== 0;
}

/** Number of stuffing bytes in the adaptation field, ISO/IEC 13818-1 §2.4.3.5. A field of length 0 counts as one byte. */
function stuffingOf(packet: Buffer): number {
  if ((packet[3]! & 0x20) === 0) return 0;
  const length = packet[4]!;
  if (length === 0) return 1;
  const flags = packet[5]!;
  const hasClock = (flags & 0x10) !== 0;
  const hasOriginalClock = (flags & 0x08) !== 0;
  const hasSplice = (flags & 0x04) !== 0;
  let used = 1 + (hasClock ? 6 : 0) + (hasOriginalClock ? 6 : 0) + (hasSplice ? 1 : 0);
  if ((flags & 0x02) !== 0) used += 1 + (packet[5 + used] ?? 0);
  if ((flags & 0x01) !== 0) used += 1 + (packet[5 + used] ?? 0);
  return length - used;
}

function payloadOf(packet: Buffer): Buffer | undefined {
  const control = (packet[3]! >> 4) & 3;
  if ((control & 1) === 0) return undefined;
  const start = control === 3 ? 5 + packet[4]! : 4;
  return start < packet.length ? packet.subarray(start) : undefined;
}

function kindOf({ streamType, descriptors }: ElementaryStream): 'video' | 'audio' | undefined {
  if (streamType === tsStreamType.h264 || streamType === tsStreamType.h265) return 'video';
  if (isAc3(streamType, descriptors)) return 'audio';
  if (streamType === tsStreamType.privatePes) return descriptors.includes(opusRegistration) ? 'audio' : undefined;
  const { aacAdts, aacLatm, mpeg1Audio, mpeg2Audio } = tsStreamType;
  return [aacAdts, aacLatm, mpeg1Audio, mpeg2Audio].some((type) => type === streamType) ? 'audio' : undefined;
}

function createReceiver({ streamType, descriptors }: ElementaryStream, events: TsDemuxerEvents): EsReceiver {
  if (streamType === tsStreamType.h264) return new VideoReceiver('h264', events);
  if (streamType === tsStreamType.h265) return new VideoReceiver('h265', events);
  if (streamType === tsStreamType.aacAdts) return new FramedAudioReceiver(adtsSyntax, events);
  if (streamType === tsStreamType.aacLatm) return new FramedAudioReceiver(new LatmSyntax(), events);
  if (isAc3(streamType, descriptors)) return new FramedAudioReceiver(ac3Syntax, events);
  if (streamType === tsStreamType.privatePes) return new OpusReceiver(opusChannels(descriptors), events);
  return new FramedAudioReceiver(mpegAudioSyntax, events);
}

function isConverted({ streamType, descriptors }: ElementaryStream): boolean {
  return streamType === tsStreamType.aacLatm || isAc3(streamType, descriptors);
}

function isAc3(streamType: number, descriptors: Buffer): boolean {
  const { ac3, eac3, privatePes } = tsStreamType;
  if (streamType === ac3 || streamType === eac3) return true;
  return streamType === privatePes && privateCodecOf(descriptors)?.codec.endsWith('AC-3') === true;
}

/** Extension descriptor 7F with tag 80 contains the channel configuration; 1 is mono, all others are treated as stereo. */
function opusChannels(descriptors: Buffer): number {
  const at = descriptors.indexOf(Buffer.from([0x7f, 2, 0x80]));
  return at >= 0 && descriptors[at + 3] === 1 ? 1 : 2;
}
