// Reads a prepared file (FLV with an index beside it) in pieces, from any keyframe.
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { tagType } from '@srs-stack/media/containers/flv/flv-format.ts';
import { type FlvIndex, flvHeadBytes } from '@srs-stack/media/containers/flv/flv-index.ts';
import { FlvTagReader } from '@srs-stack/media/containers/flv/flv-tag-reader.ts';
import { indexNameOf } from '@srs-stack/process/channel-orders.ts';

/** Size of one read, bytes: a third of a second at 6 Mbps. */
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
  /** Time of the keyframe at which reading starts, at or before the requested time, milliseconds. */
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

  /** Rejects when the file or its index cannot be read. `offsetMs` may exceed the duration: a looped file starts again. */
  static async open(file: string, offsetMs: number): Promise<PreparedFile> {
    const index = JSON.parse(await readFile(indexNameOf(file), 'utf8')) as PreparedIndex;
    const start = startIn(index, offsetMs);
    if (!start) throw new Error('the index of the prepared file is damaged');
    return new PreparedFile(await open(file, 'r'), index, start);
  }

  /** The next tags in order of their times; undefined at the end of the file. Rejects when it is damaged. */
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

  /** Reads the tags before the media: the configurations of the tracks. */
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

/** Time and position of the keyframe at or before the offset; undefined when the index is damaged. */
function startIn({ durationMs, keyframes }: PreparedIndex, offsetMs: number): readonly [number, number] | undefined {
  if (!(durationMs > 0) || !Array.isArray(keyframes)) return undefined;
  const isValid = keyframes.every((each) => Array.isArray(each) && each.every(Number.isFinite) && each.length === 2);
  if (!isValid) return undefined;
  return keyframes.findLast(([timeMs]) => timeMs <= offsetMs % durationMs) ?? keyframes[0];
}
