// The platform process: environment → platform → listen → stop on a signal. What cannot start says why in one sentence.
import { flushCompileCache } from 'node:module';
import { createLogger } from '@srs-stack/process/logger.ts';
import { giveBackAtRest } from '@srs-stack/process/memory-at-rest.ts';
import { readVersion } from '@srs-stack/process/product-version.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { readEnv } from './env.ts';
import { listen } from './listen.ts';
import { openPlatform } from './platform.ts';

/** A stop that takes longer is cut short, milliseconds. */
const stopTimeoutMs = 4_500;

async function main(): Promise<void> {
  if (process.argv.some((each) => each === '-v' || each === '-version' || each === '--version')) {
    process.stdout.write(`${readVersion()}\n`);
    return;
  }
  const env = readEnv(process.env);
  const log = await createLogger({ process: 'platform', level: env.logLevel });
  const platform = await openPlatform({ env, log, askSupervisor: (request) => process.send?.(request) ?? false });

  let isStopping = false;
  const stop = (reason: string) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ reason }, 'stopping');
    setTimeout(() => process.exit(0), stopTimeoutMs).unref();
    platform.close().then(
      () => process.exit(0),
      (error) => {
        log.error({ err: error }, 'stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The supervisor is gone: nobody else would end this process.
  process.on('disconnect', () => stop('supervisor gone'));

  try {
    const address = await listen(platform.app, env.listen);
    platform.start();
    log.info({ address, version: readVersion(), nodeId: platform.rooms.nodeId }, 'platform ready');
    process.send?.({ type: 'ready', address });
    // Written now and not at the exit, which a kill would skip: the next start is faster by it.
    flushCompileCache();
    giveBackAtRest();
  } catch (error) {
    await platform.close();
    throw error;
  }
}

main().catch((error: unknown) => {
  const sentence = error instanceof StartRefusal ? error.message : `internal error at start: ${error}`;
  process.stderr.write(`srs-stack platform: ${sentence}\n`);
  process.exit(1);
});
