// `config/rewind.json`, which the control plane writes: how much of each stream is kept for rewinding, and which are recorded.
// Watched. While there is no such file nothing is taken and nothing removed: the control plane writes it at its start.
import { readFile } from 'node:fs/promises';
import type { WatchRewind } from '@srs-stack/contract/values/watch-info.ts';
import type { Engine } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { isRewound, noRewind, parseRewindSettings } from '@srs-stack/process/rewind/rewind-settings.ts';
import { FileChanges, versionOf } from './file-changes.ts';

export interface RewindWatchOptions {
  /** Absolute path of the file. */
  readonly file: string;
  readonly log: Logger;
}

export class RewindWatch {
  readonly #options: RewindWatchOptions;
  #changes: FileChanges | undefined;
  #settings = noRewind;
  #seenVersion = '';
  #looking = Promise.resolve();

  constructor(options: RewindWatchOptions) {
    this.#options = options;
  }

  /** Begins to watch; the first look is done when this resolves. */
  async start(engine: Pick<Engine, 'configureRewind'>): Promise<void> {
    const { file, log } = this.#options;
    const onChange = (): void => {
      this.#lookNow(engine).catch((error: unknown) => log.error({ file, err: error }, 'rewind settings not looked at'));
    };
    this.#changes = new FileChanges({ file, onChange });
    await this.#lookNow(engine);
  }

  /** What the page for viewers is told of a stream; undefined when it cannot be rewound. */
  offer({ app, stream }: { app: string; stream: string }): WatchRewind | undefined {
    if (!isRewound(this.#settings, { app, stream })) return undefined;
    const path = `/${[...app.split('/'), stream].map(encodeURIComponent).join('/')}.rewind`;
    return { playlist: `${path}.m3u8`, thumbnails: `${path}.vtt`, windowSeconds: this.#settings.minutes * 60 };
  }

  close(): void {
    this.#changes?.close();
  }

  #lookNow(engine: Pick<Engine, 'configureRewind'>): Promise<void> {
    const look = (): Promise<void> => this.#look(engine);
    this.#looking = this.#looking.then(look, look);
    return this.#looking;
  }

  async #look(engine: Pick<Engine, 'configureRewind'>): Promise<void> {
    const { file, log } = this.#options;
    const version = await versionOf(file);
    if (version === this.#seenVersion) return;
    this.#seenVersion = version;
    if (version === '') return;
    try {
      this.#settings = parseRewindSettings(await readFile(file, 'utf8'));
      engine.configureRewind(this.#settings);
    } catch (error) {
      log.error({ file, reason: (error as Error).message }, 'rewind settings not readable: those before apply');
    }
  }
}
