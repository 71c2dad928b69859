// Reports when a file may have changed: on kernel events, and by a check now and then. Polling alone, four times a second, wakes a thread
// for each check (docs/decisions/performance.md); it remains where the kernel sends no events.
import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Interval of checks while the kernel sends events, milliseconds: in case one was missed. */
const restingLookMs = 5_000;
/** Interval of checks without kernel events, milliseconds: one stat call; changes apply without a noticeable delay. */
const lookEveryMs = 250;
/** Delay after a kernel event, milliseconds: programs that write in place do so in several steps. */
const settleMs = 20;
/** After this number of changes that only a check found, kernel events are no longer relied upon; a single check may just have been faster. */
const maxMissed = 2;

interface FolderWatcher {
  on(event: 'error', listener: () => void): unknown;
  close(): void;
}

export interface FileChangesOptions {
  /** Absolute path; it need not exist. */
  readonly file: string;
  /** Checks the file; also called when nothing has changed. */
  readonly onChange: () => void;
  /** Replaced in tests. */
  readonly watchFolder?: (folder: string, tell: (name: string | null) => void) => FolderWatcher;
  readonly versionOf?: (file: string) => Promise<string>;
}

/** Starts checking; `close` ends it. */
export class FileChanges {
  readonly #options: Required<FileChangesOptions>;
  #watcher: FolderWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  /** At the last regular check. */
  #seenVersion: string | undefined;
  /** Kernel events since then. */
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

  /** Falls back to polling: stops watching the folder. */
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

/** Fingerprint of a file's content; '' when there is none. */
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
