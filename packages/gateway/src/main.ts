// The data-plane process: reads the environment, starts the gateway, stops on a signal.
import { createEngine } from '@srs-stack/engine';
import { startGateway } from './app.ts';
import { readEnv } from './env.ts';
import { createLogger } from './logger.ts';
import { StartupError } from './startup-error.ts';

/** A stop that takes longer is ended by force, milliseconds. */
const forcedStopMs = 4_500;

async function run(): Promise<void> {
  const env = readEnv(process.env);
  const log = await createLogger({ level: env.logLevel, format: env.logFormat });
  const gateway = await startGateway({ env, log, createEngine });
  log.info({ ports: gateway.ports }, 'gateway started');

  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'gateway stopping');
    setTimeout(() => process.exit(1), forcedStopMs).unref();
    gateway.close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'gateway did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

run().catch((error: unknown) => {
  const text = error instanceof StartupError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
