// The data-plane process: starts the gateway, continues after uncaught errors, and stops on a signal.
import { flushCompileCache } from 'node:module';
import { type Engine, type EngineConfig, type EnginePorts, endCurrentSession } from '@srs-stack/engine';
import { freeMemoryWhenIdle, thisProcess } from '@srs-stack/process/idle-memory.ts';
import { inBackground } from '@srs-stack/process/in-background.ts';
import { createLogger } from '@srs-stack/process/logger.ts';
import { returnFreeMemory } from '@srs-stack/rtc/free-memory.ts';
import { startGateway } from './app.ts';
import { readEnv } from './env.ts';

/** After this time, a stop is forced, milliseconds. */
const forcedStopMs = 4_500;
/** `EX_SOFTWARE` of sysexits.h. The supervisor then starts a new process. */
const corruptedExitCode = 70;

/** Resolves when the process serves requests. @throws StartRefusal with an error message for the operator. */
export async function runGateway(createEngine: (config: EngineConfig, ports: EnginePorts) => Engine): Promise<void> {
  const env = readEnv(process.env);
  const log = await createLogger({ process: 'gateway', level: env.logLevel, format: env.logFormat });
  const gateway = await startGateway({ env, log, createEngine, onCorrupted: () => process.exit(corruptedExitCode) });
  // Also called for unhandled rejections (`origin`). Registered after the start, so that a failed start ends the process.
  process.on('uncaughtException', (error, origin) => {
    try {
      gateway.reportFault(error, { origin, ...endCurrentSession() }, 'uncaught error');
    } catch (endError) {
      gateway.reportFault(error, { origin }, 'uncaught error');
      gateway.reportFault(endError, {}, 'session could not be closed cleanly');
    }
  });
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
  log.info({ ports: gateway.ports }, 'gateway started');
  process.send?.({ type: 'ready' });
  await gateway.warmUp();
  // Writes the compile cache, which speeds up the next start. After a SIGKILL, the cache would not be written.
  flushCompileCache();
  const idleProcess = thisProcess(returnFreeMemory);
  freeMemoryWhenIdle(idleProcess, () => {
    // The release of memory has discarded compiled code, so a second warm-up compiles the code again. `collect` frees the memory that this
    // warm-up used.
    const warmUp = gateway.warmUp().then(() => idleProcess.collect());
    inBackground(warmUp, log, 'warm-up after the release of idle memory failed');
  });
}
