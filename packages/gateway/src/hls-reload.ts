// Applies the HLS settings that the control plane writes, at start and on each reload request. One reload runs at a time. The result can be
// read later, as in SRS (`reload-fetch`).
import type { Engine, HlsConfig } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { randomName } from './data-folder.ts';
import { loadHlsConfig } from './srs-config/hls-config.ts';

/** SRS's names for the states of a reload: not started, reading, applying, done. */
const reloadState = { init: 0, parsing: 10, applying: 30, finished: 90 } as const;
/** SRS's error code for an invalid configuration (`ERROR_SYSTEM_CONFIG_INVALID`). */
const configInvalid = 1023;

interface ReloadResult {
  readonly err: number;
  readonly msg: string;
  readonly state: number;
  readonly rid: string;
}

export interface HlsReload {
  current(): HlsConfig;
  start(): void;
  /** Applies changes that were made while the gateway started and accepted no reload requests. Without changes, nothing is logged. */
  catchUp(): void;
  lastResult(): ReloadResult;
  settled(): Promise<void>;
}

export interface HlsReloadOptions {
  readonly file: string;
  readonly defaults: HlsConfig;
  readonly initial: HlsConfig;
  readonly engine: Pick<Engine, 'reconfigure'>;
  /** Additional steps of a reload, such as loading the certificate. */
  readonly also: () => Promise<void>;
  readonly log: Logger;
}

export function createHlsReload(options: HlsReloadOptions): HlsReload {
  return new HlsReloads(options);
}

class HlsReloads implements HlsReload {
  readonly #options: HlsReloadOptions;
  #config: HlsConfig;
  #result: ReloadResult = { err: 0, msg: 'Success', state: reloadState.init, rid: '' };
  #running = Promise.resolve();

  constructor(options: HlsReloadOptions) {
    this.#options = options;
    this.#config = options.initial;
  }

  current(): HlsConfig {
    return this.#config;
  }

  start(): void {
    const rid = randomName(7);
    this.#running = this.#running.then(() => this.#reload(rid));
  }

  catchUp(): void {
    this.#running = this.#running.then(async () => {
      const { file, defaults } = this.#options;
      const loaded = await loadHlsConfig(file, defaults).catch(() => undefined);
      if (loaded && !isSame(loaded.config, this.#config)) await this.#reload(randomName(7));
    });
  }

  lastResult(): ReloadResult {
    return this.#result;
  }

  settled(): Promise<void> {
    return this.#running;
  }

  async #reload(rid: string): Promise<void> {
    try {
      this.#result = { err: 0, msg: 'Success', state: reloadState.parsing, rid };
      const loaded = await loadHlsConfig(this.#options.file, this.#options.defaults);
      for (const warning of loaded.warnings)
        this.#options.log.warn({ file: this.#options.file, warning }, 'an invalid HLS setting is ignored');
      this.#result = { ...this.#result, state: reloadState.applying };
      if (!isSame(loaded.config, this.#config)) await this.#options.engine.reconfigure({ hls: loaded.config });
      this.#config = loaded.config;
      await this.#options.also();
      this.#result = { ...this.#result, state: reloadState.finished };
      this.#options.log.info({ hls: this.#config }, 'HLS settings reloaded');
    } catch (error) {
      const message = (error as Error).message;
      this.#result = { err: configInvalid, msg: message, state: reloadState.finished, rid };
      this.#options.log.error(
        { file: this.#options.file, reason: message },
        'HLS settings could not be reloaded, the previous settings stay in use',
      );
    }
  }
}

function isSame(a: HlsConfig, b: HlsConfig): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Settings at the start. For an invalid file, logs an error and returns the defaults, so that streaming works. */
export async function initialHlsConfig(file: string, defaults: HlsConfig, log: Logger): Promise<HlsConfig> {
  try {
    const { config, warnings } = await loadHlsConfig(file, defaults);
    for (const warning of warnings) log.warn({ file, warning }, 'an invalid HLS setting is ignored');
    return config;
  } catch (error) {
    log.error({ file, reason: (error as Error).message }, 'HLS settings cannot be read, defaults are used');
    return defaults;
  }
}
