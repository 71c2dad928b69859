// Logs the first failed write to the HLS path, and the recovery, once for all streams.
import type { EngineLogger } from '../../ports.ts';

export class DiskHealth {
  readonly #log: EngineLogger;
  #failing = false;

  constructor(log: EngineLogger) {
    this.#log = log;
  }

  /** Runs a write step; false when it failed. Never rejects. */
  async guard(path: string, step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
    } catch (error) {
      if (!this.#failing)
        this.#log.error({ path, err: error }, 'HLS files cannot be written, HLS is served from memory');
      this.#failing = true;
      return false;
    }
    if (this.#failing) this.#log.info({ path }, 'HLS files can be written to the disk again');
    this.#failing = false;
    return true;
  }
}
