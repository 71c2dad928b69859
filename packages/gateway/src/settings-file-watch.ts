// A file of settings that the control plane writes and this process watches: a change applies at once, and no restart is needed. What
// cannot be read changes nothing.
import { readFile } from 'node:fs/promises';
import type { Logger } from '@srs-stack/process/logger.ts';
import { FileChanges, versionOf } from './file-changes.ts';

export interface SettingsFileOptions<Settings> {
  /** Absolute path. */
  readonly file: string;
  /** What applies before the file was ever read. */
  readonly initial: Settings;
  /** Throws when the text is not what the control plane writes. */
  readonly parse: (text: string) => Settings;
  /** Hears of settings that are new, after they apply. */
  readonly onChange?: (next: Settings) => void;
  readonly log: Logger;
}

/** Begins to look at the file; `close` ends that. */
export class SettingsFileWatch<Settings> {
  readonly #options: SettingsFileOptions<Settings>;
  readonly #changes: FileChanges;
  #settings: Settings;
  #seenVersion = '';
  #looking = Promise.resolve();

  constructor(options: SettingsFileOptions<Settings>) {
    this.#options = options;
    this.#settings = options.initial;
    const { file, log } = options;
    const onFailure = (error: unknown): void => log.error({ file, err: error }, 'settings not looked at');
    const onChange = (): void => {
      this.reload().catch(onFailure);
    };
    this.#changes = new FileChanges({ file, onChange });
  }

  current(): Settings {
    return this.#settings;
  }

  /** Looks at the file now. */
  reload(): Promise<void> {
    const look = (): Promise<void> => this.#look();
    this.#looking = this.#looking.then(look, look);
    return this.#looking;
  }

  close(): void {
    this.#changes.close();
  }

  async #look(): Promise<void> {
    const { file, parse, onChange, log } = this.#options;
    const version = await versionOf(file);
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    // A file that is gone keeps what applies: the control plane writes it again at its start.
    if (version === '') return;
    try {
      this.#settings = parse(await readFile(file, 'utf8'));
      onChange?.(this.#settings);
    } catch (error) {
      log.error({ file, reason: (error as Error).message }, 'settings not readable, the ones before apply');
    }
  }
}
