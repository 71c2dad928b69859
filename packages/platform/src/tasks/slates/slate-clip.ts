// The clip of the setting as a file of this server. The file is searched at each check, because library files come and go.
import { stat } from 'node:fs/promises';
import type { MediaFolders } from '../../files/media-folders.ts';
import type { SlateClip } from './slate-look.ts';

export class SlateClipFile {
  readonly #folders: Pick<MediaFolders, 'pathOf'>;
  #current: SlateClip | undefined;
  #isMissing = false;

  constructor(folders: Pick<MediaFolders, 'pathOf'>) {
    this.#folders = folders;
  }

  /** Undefined without a clip, or while the file is missing. */
  get current(): SlateClip | undefined {
    return this.#current;
  }

  get isMissing(): boolean {
    return this.#isMissing;
  }

  /** @param target name of the library file; '' without a clip. */
  async refresh(target: string): Promise<void> {
    this.#current = target === '' ? undefined : await this.find(target);
    this.#isMissing = target !== '' && this.#current === undefined;
  }

  async find(target: string): Promise<SlateClip | undefined> {
    const path = await this.#folders.pathOf(target);
    const facts = path === undefined ? undefined : await stat(path).catch(() => undefined);
    if (path === undefined || !facts?.isFile()) return undefined;
    return { path, version: `${path}|${facts.size}|${facts.mtimeMs}` };
  }
}
