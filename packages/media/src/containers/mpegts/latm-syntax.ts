// Parses AAC in LATM with LOAS synchronization (ISO/IEC 14496-3 §1.7.2, §1.7.3), as broadcast encoders send it. Supports one program with
// one layer and one frame per element. Some elements may omit the configuration.
import { parseAacConfig } from '../../codecs/aac.ts';
import { audioTrackFromConfig } from '../../codecs/audio-track.ts';
import { BitReader } from '../../codecs/bit-reader.ts';
import type { AudioTrack } from '../../track.ts';
import type { AudioFrame, AudioSyntax } from './audio-receiver.ts';

/** LOAS header: 11 bits 0x2b7, then 13 bits for the length of the element. */
const headerSize = 3;
const syncWord = 0x2b7;
const escapedRate = 15;
const escapedType = 31;
/** Object types whose configuration ends with GASpecificConfig: Main, LC, SSR and LTP. */
const lastGeneralAudioType = 4;
const sbr = 5;
const parametricStereo = 29;
const noFrame = { durationMs: 0, format: '' };

export class LatmSyntax implements AudioSyntax {
  readonly minHeaderSize = headerSize;
  #config: Buffer | undefined;

  parseFrame(bytes: Buffer, offset: number): AudioFrame | undefined {
    const head = bytes.readUIntBE(offset, headerSize);
    if (head >> 13 !== syncWord) return undefined;
    const frameSize = headerSize + (head & 0x1fff);
    // Until the element is complete, only its size is known.
    if (offset + frameSize > bytes.length) return { headerSize: frameSize, frameSize, ...noFrame };
    const payload = this.#readElement(new BitReader(bytes.subarray(offset + headerSize, offset + frameSize)));
    const aac = payload && this.#config && parseAacConfig(this.#config);
    if (!aac) return { headerSize: frameSize, frameSize, ...noFrame };
    const durationMs = (aac.frameSamples * 1000) / aac.coreSampleRate;
    return { headerSize, frameSize, durationMs, format: this.#config!.toString('hex'), payload };
  }

  createTrack(): AudioTrack {
    return audioTrackFromConfig('aac', this.#config ?? Buffer.alloc(0));
  }

  /** Returns the payload of an AudioMuxElement. Undefined while the configuration is missing or unsupported, and for a damaged element. */
  #readElement(bits: BitReader): Buffer | undefined {
    if (!bits.readFlag()) this.#config = readStreamMuxConfig(bits);
    if (!this.#config) return undefined;
    let sizeBytes = 0;
    for (let part = 255; part === 255 && !bits.overrun; sizeBytes += part) part = bits.readBits(8);
    if (bits.bitsLeft < 8 * sizeBytes || sizeBytes === 0) return undefined;
    return bits.copy(bits.position, 8 * sizeBytes);
  }
}

/** The AudioSpecificConfig in a StreamMuxConfig; undefined for unsupported forms. */
function readStreamMuxConfig(bits: BitReader): Buffer | undefined {
  const version = bits.readBits(1);
  if (version === 1 && bits.readFlag()) return undefined;
  if (version === 1) readValue(bits);
  const isSameTiming = bits.readFlag();
  const moreFrames = bits.readBits(6);
  const morePrograms = bits.readBits(4);
  const moreLayers = bits.readBits(3);
  if (!isSameTiming || moreFrames + morePrograms + moreLayers > 0) return undefined;
  const sizeBits = version === 1 ? readValue(bits) : 0;
  const start = bits.position;
  if (!skipConfig(bits) && version === 0) return undefined;
  if (version === 1) bits.position = start + sizeBits;
  const config = bits.overrun ? undefined : bits.copy(start, bits.position - start);
  return skipRest(bits, version) ? config : undefined;
}

/** Skips the remaining fields. Returns false for fixed-length frames, which are not supported. */
function skipRest(bits: BitReader, version: number): boolean {
  if (bits.readBits(3) !== 0) return false;
  bits.skip(8);
  if (bits.readFlag()) {
    if (version === 1) readValue(bits);
    else {
      let isMore = true;
      while (isMore && !bits.overrun) {
        isMore = bits.readFlag();
        bits.skip(8);
      }
    }
  }
  if (bits.readFlag()) bits.skip(8);
  return !bits.overrun;
}

function skipConfig(bits: BitReader): boolean {
  let type = readObjectType(bits);
  skipRate(bits);
  const channels = bits.readBits(4);
  if (type === sbr || type === parametricStereo) {
    skipRate(bits);
    type = readObjectType(bits);
  }
  if (type < 1 || type > lastGeneralAudioType || channels === 0) return false;
  bits.skip(1);
  if (bits.readFlag()) bits.skip(14);
  bits.skip(1);
  return true;
}

function readObjectType(bits: BitReader): number {
  const type = bits.readBits(5);
  return type === escapedType ? 32 + bits.readBits(6) : type;
}

function skipRate(bits: BitReader): void {
  if (bits.readBits(4) === escapedRate) bits.skip(24);
}

/** LatmGetValue. */
function readValue(bits: BitReader): number {
  const moreBytes = bits.readBits(2);
  return bits.readBits(8 * (moreBytes + 1));
}
