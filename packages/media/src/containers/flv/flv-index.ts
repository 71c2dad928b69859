// Finds the positions of the keyframes of an FLV file with H.264 and AAC, by reading the file once. Pure.
import { ProtocolError } from '../../protocol-error.ts';
import { tagHeaderBytes, tagTrailerBytes, tagType } from './flv-format.ts';
import { FlvTagReader } from './flv-tag-reader.ts';

/** Size of the file header and the first previous-tag size, bytes (annex E.2 and E.3). */
export const flvHeadBytes = 13;
/** Maximum number of keyframes: a day of video with one keyframe per second. */
const maxKeyframes = 86_400;

export interface FlvIndex {
  /** Position of the first tag with media, after the configurations of the tracks. */
  readonly mediaAt: number;
  /** Timestamp of the first keyframe, milliseconds. All other times count from this timestamp. */
  readonly startMs: number;
  readonly keyframes: readonly (readonly [timeMs: number, position: number])[];
  /** Configurations of the video and audio track, hex. */
  readonly configs: readonly [video: string, audio: string];
}

export class FlvIndexer {
  readonly #reader = new FlvTagReader((type, body, timestampMs) => this.#onTag(type, body, timestampMs));
  #headLeft = flvHeadBytes;
  #position = flvHeadBytes;
  #mediaAt: number | undefined;
  #video = '';
  #audio = '';
  #startMs: number | undefined;
  readonly #keyframes: [number, number][] = [];

  /** Processes the next bytes of the file. Throws `ProtocolError` for a file that channels cannot play. */
  read(bytes: Buffer): void {
    const skipped = Math.min(this.#headLeft, bytes.length);
    this.#headLeft -= skipped;
    if (skipped < bytes.length) this.#reader.read(bytes.subarray(skipped));
  }

  /** Call after the last bytes. Throws `ProtocolError` when audio or a video keyframe is missing. */
  end(): FlvIndex {
    if (this.#startMs === undefined || this.#mediaAt === undefined || this.#audio === '') {
      throw new ProtocolError('flv', 'the file must have video with a keyframe, and audio');
    }
    const configs = [this.#video, this.#audio] as const;
    return { mediaAt: this.#mediaAt, startMs: this.#startMs, keyframes: this.#keyframes, configs };
  }

  #onTag(type: number, body: Buffer, timestampMs: number): void {
    const position = this.#position;
    this.#position += tagHeaderBytes + body.length + tagTrailerBytes;
    if (type !== tagType.video && type !== tagType.audio) return;
    const isVideo = type === tagType.video;
    // For H.264 and AAC, the second byte is 0 for a configuration and 1 for media.
    if (body[1] === 0) this.#onConfig(isVideo, body.subarray(isVideo ? 5 : 2).toString('hex'));
    else if (body[1] === 1) this.#onMedia(isVideo && body[0]! >> 4 === 1, timestampMs, position);
  }

  #onConfig(isVideo: boolean, config: string): void {
    const known = isVideo ? this.#video : this.#audio;
    if (known !== '' && known !== config)
      throw new ProtocolError('flv', 'the configuration of a track changes within the file');
    if (isVideo) this.#video = config;
    else this.#audio = config;
  }

  #onMedia(isKeyframe: boolean, timestampMs: number, position: number): void {
    this.#mediaAt ??= position;
    if (!isKeyframe) return;
    this.#startMs ??= timestampMs;
    if (this.#keyframes.length >= maxKeyframes) throw new ProtocolError('flv', 'the file has too many keyframes');
    this.#keyframes.push([timestampMs - this.#startMs, position]);
  }
}
