// Reads a prepared file from any keyframe on, in pieces. A prepared file is an FLV file with an index in a second file.
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { tagType } from '@srs-stack/media/containers/flv/flv-format.ts';
import { type FlvIndex, flvHeadBytes } from '@srs-stack/media/containers/flv/flv-index.ts';
import { FlvTagReader } from '@srs-stack/media/containers/flv/flv-tag-reader.ts';
import { indexNameOf } from '@srs-stack/process/channel-orders.ts';

/** Size of one read, bytes: a third of a second of 6 Mbit/s. */
const chunkBytes = 256 * 1024;

export interface FileTag {
  readonly type: number;
  readonly body: Buffer;
  /** Time in the file, milliseconds. */
  readonly timeMs: number;
}

export interface PreparedIndex extends FlvIndex {
  readonly durationMs: number;
}

export class PreparedFile {
  readonly durationMs: number;
  /**
   * Time of the keyframe at which reading starts, milliseconds. The keyframe is at or before the requested time, or is the first keyframe.
   */
  readonly fromMs: number;
  readonly #handle: FileHandle;
  readonly #index: PreparedIndex;
  #position: number;
  #isHeadRead = false;
  #tags: FileTag[] = [];
  readonly #reader = new FlvTagReader((type, body, timestampMs) => this.#onTag(type, body, timestampMs));

  private constructor(handle: FileHandle, index: PreparedIndex, [fromMs, position]: readonly [number, number]) {
    this.#handle = handle;
    this.#index = index;
    this.durationMs = index.durationMs;
    this.fromMs = fromMs;
    this.#position = position;
  }

  /** Rejects if the file or its index is unreadable. @param offsetMs may exceed the duration, because a looped file starts again. */
  static async open(file: string, offsetMs: number): Promise<PreparedFile> {
    const index = JSON.parse(await readFile(indexNameOf(file), 'utf8')) as PreparedIndex;
    const start = startIn(index, offsetMs);
    if (!start) throw new Error('the index of the prepared file is damaged');
    return new PreparedFile(await open(file, 'r'), index, start);
  }

  /** The next tags in order of time; undefined at the end of the file. Rejects if the file is damaged. */
  async read(): Promise<FileTag[] | undefined> {
    if (!this.#isHeadRead) await this.#readHead();
    const bytes = await this.#bytesAt(this.#position, chunkBytes);
    if (bytes.length === 0) return undefined;
    this.#position += bytes.length;
    this.#reader.read(bytes);
    const tags = this.#tags;
    this.#tags = [];
    return tags;
  }

  /** Idempotent. */
  async close(): Promise<void> {
    await this.#handle.close();
  }

  /** Reads the codec configurations, which precede the media. */
  async #readHead(): Promise<void> {
    this.#isHeadRead = true;
    const { mediaAt } = this.#index;
    this.#reader.read(await this.#bytesAt(flvHeadBytes, mediaAt - flvHeadBytes));
    this.#tags = this.#tags.map((tag) => ({ ...tag, timeMs: this.fromMs }));
  }

  async #bytesAt(position: number, length: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.allocUnsafeSlow(length), 0, length, position);
    return buffer.subarray(0, bytesRead);
  }

  #onTag(type: number, body: Buffer, timestampMs: number): void {
    if (type === tagType.script) return;
    this.#tags.push({ type, body, timeMs: timestampMs - this.#index.startMs });
  }
}

/** Time and position of the keyframe at or before the offset, or of the first keyframe; undefined if the index is damaged. */
function startIn({ durationMs, keyframes }: PreparedIndex, offsetMs: number): readonly [number, number] | undefined {
  if (!(durationMs > 0) || !Array.isArray(keyframes)) return undefined;
  const isValid = keyframes.every((each) => Array.isArray(each) && each.every(Number.isFinite) && each.length === 2);
  if (!isValid) return undefined;
  return keyframes.findLast(([timeMs]) => timeMs <= offsetMs % durationMs) ?? keyframes[0];
}
