// Watches a settings file of the control plane; changes apply immediately. While the file is unreadable or missing, the previous settings
// stay in effect. Each start of the control plane writes the file again.
import { readFile } from 'node:fs/promises';
import type { Logger } from '@srs-stack/process/logger.ts';
import { FileChanges, versionOf } from './file-changes.ts';

export interface SettingsFileOptions<Settings> {
  /** Absolute path. */
  readonly file: string;
  /** Settings in effect until a file is read. */
  readonly initial: Settings;
  /** Settings in effect when the first version of the file is invalid; `initial` by default. */
  readonly unreadable?: Settings;
  /** Throws for an invalid text. */
  readonly parse: (text: string) => Settings;
  /** Called synchronously after each change of the settings. `isRead` is false for an unreadable file. */
  readonly onChange?: (isRead: boolean) => void;
  readonly log: Logger;
}

export class SettingsFileWatch<Settings> {
  readonly #options: SettingsFileOptions<Settings>;
  #settings: Settings;
  #changes: FileChanges | undefined;
  #seenVersion = '';
  /** True until the first version of the file has been read, or found invalid. */
  #isFirst = true;
  #looking = Promise.resolve();
  #nextLook: Promise<void> | undefined;

  constructor(options: SettingsFileOptions<Settings>) {
    this.#options = options;
    this.#settings = options.initial;
  }

  /** The settings in effect. Each change creates a new object. */
  current(): Settings {
    return this.#settings;
  }

  /** Watches the file until `close`. Resolves after the first check. */
  async start(): Promise<void> {
    const { file, log } = this.#options;
    const onChange = (): void => {
      this.look().catch((error: unknown) => log.error({ file, err: error }, 'settings file could not be checked'));
    };
    this.#changes = new FileChanges({ file, onChange });
    await this.look();
  }

  /**
   * Resolves after a check that starts later than this call. All calls before the start of a check share the check, so that a burst of
   * viewers causes one check.
   */
  look(): Promise<void> {
    if (this.#nextLook) return this.#nextLook;
    const look = (): Promise<void> => {
      this.#nextLook = undefined;
      return this.#look();
    };
    this.#nextLook = this.#looking.then(look, look);
    this.#looking = this.#nextLook;
    return this.#nextLook;
  }

  /** Idempotent. */
  close(): void {
    this.#changes?.close();
  }

  async #look(): Promise<void> {
    const { file, initial, unreadable = initial, onChange } = this.#options;
    const version = await versionOf(file);
    if (version === this.#seenVersion) return;
    if (version === '') {
      this.#seenVersion = version;
      return;
    }
    const read = await this.#read();
    if (read) this.#settings = read.settings;
    else if (this.#isFirst) this.#settings = unreadable;
    this.#isFirst = false;
    this.#seenVersion = version;
    onChange?.(read !== undefined);
  }

  async #read(): Promise<{ readonly settings: Settings } | undefined> {
    const { file, parse, log } = this.#options;
    try {
      return { settings: parse(await readFile(file, 'utf8')) };
    } catch (error) {
      log.error(
        { file, reason: (error as Error).message },
        'settings file cannot be read, the previous settings stay in use',
      );
      return undefined;
    }
  }
}
