// The control plane process, which stops on a signal. A failed start prints one error message.
import { flushCompileCache } from 'node:module';
import { freeMemoryWhenIdle, thisProcess } from '@srs-stack/process/idle-memory.ts';
import { createLogger } from '@srs-stack/process/logger.ts';
import { readVersion } from '@srs-stack/process/product-version.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { returnFreeMemory } from '@srs-stack/rtc/free-memory.ts';
import { readEnv } from './env.ts';
import { listen } from './listen.ts';
import { openPlatform } from './platform.ts';

/** Timeout of a stop, milliseconds. */
const stopTimeoutMs = 4_500;

async function main(): Promise<void> {
  if (process.argv.some((each) => each === '-v' || each === '-version' || each === '--version')) {
    process.stdout.write(`${readVersion()}\n`);
    return;
  }
  const env = readEnv(process.env);
  const log = await createLogger({ process: 'platform', level: env.logLevel });
  const platform = await openPlatform({ env, log, sendToSupervisor: (request) => process.send?.(request) ?? false });

  let isStopping = false;
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(0), stopTimeoutMs).unref();
    platform.close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'control plane did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The supervisor has exited, so nothing else would stop this process.
  process.on('disconnect', () => stop('the supervisor has exited'));

  try {
    const address = await listen(platform.app, env.listen);
    platform.start();
    log.info({ address, version: readVersion(), nodeId: platform.modules.nodeId }, 'platform ready');
    process.send?.({ type: 'ready', address });
    // Writes the compile cache for the next start now, because a killed process writes nothing.
    flushCompileCache();
    freeMemoryWhenIdle(thisProcess(returnFreeMemory));
  } catch (error) {
    await platform.close();
    throw error;
  }
}

main().catch((error: unknown) => {
  const message = error instanceof StartRefusal ? error.message : `internal error at start: ${error}`;
  process.stderr.write(`srs-stack platform: ${message}\n`);
  process.exit(1);
});
