// Tells the operator once when the disk of the HLS path fails and once when it works again, however many streams write.
import type { EngineLogger } from '../../ports.ts';

export class DiskHealth {
  readonly #log: EngineLogger;
  #failing = false;

  constructor(log: EngineLogger) {
    this.#log = log;
  }

  /** Runs a step of writing; false when it failed. Never rejects. */
  async guard(path: string, step: () => Promise<void>): Promise<boolean> {
    try {
      await step();
    } catch (error) {
      if (!this.#failing)
        this.#log.error({ path, err: error }, 'HLS files cannot be written, streams go on from memory');
      this.#failing = true;
      return false;
    }
    if (this.#failing) this.#log.info({ path }, 'HLS files are written again');
    this.#failing = false;
    return true;
  }
}
