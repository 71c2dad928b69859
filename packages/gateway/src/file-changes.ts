// Reports when a file may have changed: by kernel events, and by an occasional check. Without kernel events, the file is polled four times
// a second, which wakes a thread each time (docs/decisions/performance.md).
import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

/** Interval of checks while the kernel sends events, milliseconds. Finds changes whose event was missed. */
const restingLookMs = 5_000;
/** Interval of checks without kernel events, milliseconds. Each check is one stat call, and a change applies without a noticeable delay. */
const lookEveryMs = 250;
/** Delay after a kernel event, milliseconds. Programs may write a file in several steps. */
const settleMs = 20;
/** After this many changes without a kernel event, only polling is used. More than one, because a check may be faster than the event. */
const maxMissed = 2;

interface FolderWatcher {
  on(event: 'error', listener: () => void): unknown;
  close(): void;
}

export interface FileChangesOptions {
  /** Absolute path. The file need not exist. */
  readonly file: string;
  readonly onChange: () => void;
  readonly watchFolder?: (folder: string, notify: (name: string | null) => void) => FolderWatcher;
  readonly versionOf?: (file: string) => Promise<string>;
}

/** Watches a file until `close` is called. */
export class FileChanges {
  readonly #options: Required<FileChangesOptions>;
  #watcher: FolderWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #settling: NodeJS.Timeout | undefined;
  #seenVersion: string | undefined;
  /** True when the kernel has sent an event since the last regular check. */
  #isNotified = false;
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
      // All inotify(7) watches are in use, or the file system has no events.
      return undefined;
    }
  }

  /** Stops watching the folder and polls the file. */
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
    this.#isNotified = true;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      this.#options.onChange();
    }, settleMs).unref();
  }

  async #look(): Promise<void> {
    const version = await this.#options.versionOf(this.#options.file);
    if (!this.#watcher) return;
    const [before, isNotified] = [this.#seenVersion, this.#isNotified];
    this.#seenVersion = version;
    this.#isNotified = false;
    if (version === before) return;
    if (before !== undefined && !isNotified) this.#missed++;
    if (this.#missed >= maxMissed) this.#onlyLook();
    this.#options.onChange();
  }
}

/** Fingerprint of a file; '' when the file does not exist. */
export async function versionOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeMs } = await stat(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return '';
  }
}

function watchFolder(folder: string, notify: (name: string | null) => void): FolderWatcher {
  return watch(folder, { persistent: false }, (_event, name) => notify(name));
}
