// `config/watching.json` as it was read last: the rights to watch, and what else the control plane says there. Watched, and looked at
// whenever somebody asks. What cannot be read leaves what applied before; at a start nothing does then, and nobody is let in.
import { readFile } from 'node:fs/promises';
import type { Logger } from '@srs-stack/process/logger.ts';
import { WatchRights } from '@srs-stack/process/watch-rights/watch-rights.ts';
import {
  noWatchSettings,
  parseWatchSettings,
  type WatchSettings,
} from '@srs-stack/process/watch-rights/watch-settings.ts';
import { FileChanges, versionOf } from './file-changes.ts';

export interface WatchRightsFileOptions {
  /** Absolute path. */
  readonly file: string;
  /** The file is another one; `isRead`: what it says applies. */
  readonly onChange: (isRead: boolean) => void;
  readonly log: Logger;
}

export class WatchRightsFile {
  readonly #options: WatchRightsFileOptions;
  #rights: WatchRights | undefined = new WatchRights(noWatchSettings);
  #isWholeVerdict = false;
  #wantsReports = noWatchSettings.viewerReports;
  #changes: FileChanges | undefined;
  #seenVersion = '';
  /** Nothing was ever read: what cannot be read must then not open everything. */
  #isFirst = true;
  #looking = Promise.resolve();
  #nextLook: Promise<void> | undefined;

  constructor(options: WatchRightsFileOptions) {
    this.#options = options;
  }

  /** Another object after each change; undefined when nobody can be judged. Without a file all is open. */
  get rights(): WatchRights | undefined {
    return this.#rights;
  }

  /** The rules are all there is to say: the control plane need not be asked. */
  get isWholeVerdict(): boolean {
    return this.#isWholeVerdict;
  }

  /** Whether players shall report how streams play. */
  get wantsReports(): boolean {
    return this.#wantsReports;
  }

  /** Begins to watch the file; the first look is done when this resolves. */
  async start(): Promise<void> {
    const { file, log } = this.#options;
    const onChange = (): void => {
      this.look().catch((error: unknown) => log.error({ err: error }, 'rights to watch not looked at'));
    };
    this.#changes = new FileChanges({ file, onChange });
    await this.look();
  }

  /** A look that begins after the call, one for all who ask until it begins: a rush of viewers must not mean one each. */
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

  close(): void {
    this.#changes?.close();
  }

  async #look(): Promise<void> {
    const { file, onChange } = this.#options;
    const version = await versionOf(file);
    if (version === this.#seenVersion) return;
    // A file that is gone keeps what applies: the control plane writes it again at its start.
    if (version === '') {
      this.#seenVersion = version;
      return;
    }
    const read = await this.#read();
    // From here to the end in one turn: nobody is judged by new rules and old words.
    if (read) {
      this.#rights = read.rights;
      this.#isWholeVerdict = read.settings.isWholeVerdict;
      this.#wantsReports = read.settings.viewerReports;
    } else if (this.#isFirst) this.#rights = undefined;
    this.#isFirst = false;
    this.#seenVersion = version;
    onChange(read !== undefined);
  }

  /** Undefined when it cannot be read. */
  async #read(): Promise<{ readonly settings: WatchSettings; readonly rights: WatchRights } | undefined> {
    const { file, log } = this.#options;
    try {
      const settings = parseWatchSettings(await readFile(file, 'utf8'));
      return { settings, rights: new WatchRights(settings) };
    } catch (error) {
      log.error(
        { file, reason: (error as Error).message },
        'rights to watch not readable: those before apply, at a start none',
      );
      return undefined;
    }
  }
}
