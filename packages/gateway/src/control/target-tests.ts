// Starts tests of push targets. The control plane writes a file for each test. Without a file, the gateway contacts no target.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine, PushTestSnapshot } from '@srs-stack/engine';
import type { Logger } from '@srs-stack/process/logger.ts';
import { parsePushTest, pushTestFileName, pushTestsFolder } from '@srs-stack/process/push-tests.ts';

export interface TargetTestsOptions {
  readonly dataDir: string;
  readonly engine: Pick<Engine, 'startPushTest' | 'pushTest'>;
  readonly log: Logger;
}

export class TargetTests {
  readonly #options: TargetTestsOptions;

  constructor(options: TargetTestsOptions) {
    this.#options = options;
  }

  /** Starts a test in the background. `find` returns the test once its file has been read. */
  start(id: string): void {
    this.#begin(id).catch((error: unknown) => {
      const isUnknown = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isUnknown) this.#options.log.warn({ err: error }, 'test of a target cannot be started');
    });
  }

  find(id: string): PushTestSnapshot | undefined {
    return this.#options.engine.pushTest(id);
  }

  async #begin(id: string): Promise<void> {
    const { dataDir, engine } = this.#options;
    const name = pushTestFileName(id);
    if (name === undefined) return;
    const order = parsePushTest(await readFile(join(dataDir, 'run', pushTestsFolder, name), 'utf8'));
    engine.startPushTest({ id, ...order });
  }
}
