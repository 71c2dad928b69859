// Takes over the HLS settings the control plane writes: at start, and whenever it asks for a reload. One reload at a time;
// the last result stays readable, as SRS has it (`reload-fetch`).
import type { Engine, HlsConfig } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { randomName } from './data-folder.ts';
import { loadHlsConfig } from './srs-config/hls-config.ts';

/** SRS's own words for how far a reload got: not begun, reading, applying, done. */
const reloadState = { init: 0, parsing: 10, applying: 30, finished: 90 } as const;
/** SRS's code of an unusable configuration (`ERROR_SYSTEM_CONFIG_INVALID`). */
const configInvalid = 1023;

interface ReloadResult {
  readonly err: number;
  readonly msg: string;
  readonly state: number;
  /** Id of the reload. */
  readonly rid: string;
}

export interface HlsReload {
  /** Settings in force. */
  current(): HlsConfig;
  /** Starts a reload; it ends by itself. */
  start(): void;
  lastResult(): ReloadResult;
  /** Resolves when no reload is under way. */
  settled(): Promise<void>;
}

export interface HlsReloadOptions {
  readonly file: string;
  readonly defaults: HlsConfig;
  readonly initial: HlsConfig;
  readonly engine: Pick<Engine, 'reconfigure'>;
  /** Whatever else follows a reload, e.g. the certificate. */
  readonly also: () => Promise<void>;
  readonly log: Logger;
}

export function createHlsReload(options: HlsReloadOptions): HlsReload {
  const { file, defaults, engine, also, log } = options;
  let config = options.initial;
  let result: ReloadResult = { err: 0, msg: 'Success', state: reloadState.init, rid: '' };
  let running = Promise.resolve();

  const reload = async (rid: string): Promise<void> => {
    try {
      result = { err: 0, msg: 'Success', state: reloadState.parsing, rid };
      const loaded = await loadHlsConfig(file, defaults);
      for (const warning of loaded.warnings) log.warn({ file, warning }, 'setting ignored');
      result = { ...result, state: reloadState.applying };
      if (!isSame(loaded.config, config)) await engine.reconfigure({ hls: loaded.config });
      config = loaded.config;
      await also();
      result = { ...result, state: reloadState.finished };
      log.info({ hls: config }, 'settings reloaded');
    } catch (error) {
      const message = (error as Error).message;
      result = { err: configInvalid, msg: message, state: reloadState.finished, rid };
      log.error({ file, reason: message }, 'settings not reloaded');
    }
  };

  return {
    current: () => config,
    start: () => {
      const rid = randomName(7);
      running = running.then(() => reload(rid));
    },
    lastResult: () => result,
    settled: () => running,
  };
}

function isSame(a: HlsConfig, b: HlsConfig): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Settings at start; an unusable file is reported and the defaults hold, so that streaming works. */
export async function initialHlsConfig(file: string, defaults: HlsConfig, log: Logger): Promise<HlsConfig> {
  try {
    const { config, warnings } = await loadHlsConfig(file, defaults);
    for (const warning of warnings) log.warn({ file, warning }, 'setting ignored');
    return config;
  } catch (error) {
    log.error({ file, reason: (error as Error).message }, 'settings not readable, defaults are used');
    return defaults;
  }
}
