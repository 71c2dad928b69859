// Entry of the data-plane process. A failed start prints one error message.
import { createEngine } from '@srs-stack/engine';
import { readVersion } from '@srs-stack/process/product-version.ts';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { runGateway } from './run-gateway.ts';

// An upgrade runs `--version` of a new release to check that all modules of the process load.
const run = process.argv.includes('--version') ? printVersion() : runGateway(createEngine);
run.catch((error: unknown) => {
  const text = error instanceof StartRefusal ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});

async function printVersion(): Promise<void> {
  process.stdout.write(`${readVersion()}\n`);
}
