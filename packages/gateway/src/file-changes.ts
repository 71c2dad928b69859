// Tells when a file may have changed: as soon as the kernel says so, and by a look now and then. Looking alone, four times a second,
// wakes a thread for each look (docs/decisions/performance.md); it stays where the kernel tells nothing.
import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Between two looks while the kernel tells of changes, milliseconds: in case it has missed one. */
const restingLookMs = 5_000;
/** Between two looks where it does not, milliseconds: one stat call; an operator sees a change take effect at once. */
const lookEveryMs = 250;
/** After the kernel has told of something, milliseconds: who writes in place does it in several steps. */
const settleMs = 20;
/** So many changes that only a look has found, and the kernel is not relied upon any more; a single look may have been faster. */
const maxMissed = 2;

interface FolderWatcher {
  on(event: 'error', listener: () => void): unknown;
  close(): void;
}

export interface FileChangesOptions {
  /** Absolute path; it need not exist. */
  readonly file: string;
  /** Looks at the file; is called when nothing has changed as well. */
  readonly onChange: () => void;
  /** Others for tests. */
  readonly watchFolder?: (folder: string, tell: (name: string | null) => void) => FolderWatcher;
  readonly versionOf?: (file: string) => Promise<string>;
}

/** Begins to look; `close` ends that. */
export class FileChanges {
  readonly #options: Required<FileChangesOptions>;
  #watcher: FolderWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  /** At the last look of its own. */
  #seenVersion: string | undefined;
  /** The kernel has told of something since then. */
  #isTold = false;
  #missed = 0;

  constructor(options: FileChangesOptions) {
    this.#options = { watchFolder, versionOf, ...options };
    this.#watcher = this.#watch();
    this.#lookEvery(this.#watcher ? restingLookMs : lookEveryMs);
  }

  /** Idempotent. */
  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
    clearInterval(this.#timer);
    clearTimeout(this.#settling);
  }

  #watch(): FolderWatcher | undefined {
    const { file, watchFolder } = this.#options;
    try {
      const watcher = watchFolder(dirname(file), (name) => {
        if (name === null || name === basename(file)) this.#settle();
      });
      watcher.on('error', () => this.#onlyLook());
      return watcher;
    } catch {
      // no watches left (inotify(7)), or a file system without them
      return undefined;
    }
  }

  /** From now on, and not before the folder is watched no more. */
  #onlyLook(): void {
    if (!this.#watcher) return;
    this.#watcher.close();
    this.#watcher = undefined;
    this.#lookEvery(lookEveryMs);
  }

  #lookEvery(ms: number): void {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (this.#watcher) this.#look().catch(() => undefined);
      else this.#options.onChange();
    }, ms).unref();
  }

  #settle(): void {
    if (!this.#watcher) return;
    this.#isTold = true;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      this.#options.onChange();
    }, settleMs).unref();
  }

  async #look(): Promise<void> {
    const version = await this.#options.versionOf(this.#options.file);
    if (!this.#watcher) return;
    const [before, isTold] = [this.#seenVersion, this.#isTold];
    this.#seenVersion = version;
    this.#isTold = false;
    if (version === before) return;
    if (before !== undefined && !isTold) this.#missed++;
    if (this.#missed >= maxMissed) this.#onlyLook();
    this.#options.onChange();
  }
}

/** Tells two contents of a file apart; '' when there is none. */
export async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return '';
  }
}

function watchFolder(folder: string, tell: (name: string | null) => void): FolderWatcher {
  return watch(folder, { persistent: false }, (_event, name) => tell(name));
}
