// The playlist on disk, for other web servers and caches. Replaced atomically; a slow disk skips intermediate texts.
import { rename, unlink, writeFile } from 'node:fs/promises';
import { temporarySuffix } from './segment-file.ts';

export class PlaylistFile {
  readonly path: string;
  #wanted: string | undefined;
  #writing: Promise<void> | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Resolves when this text or a newer text is in the file. Rejects with the system error. */
  write(text: string): Promise<void> {
    this.#wanted = text;
    this.#writing ??= this.#writeWanted().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async remove(): Promise<void> {
    await this.#writing?.catch(() => {});
    await unlink(this.path).catch(() => {});
  }

  async #writeWanted(): Promise<void> {
    while (this.#wanted !== undefined) {
      const text = this.#wanted;
      this.#wanted = undefined;
      await writeFile(this.path + temporarySuffix, text);
      await rename(this.path + temporarySuffix, this.path);
    }
  }
}
