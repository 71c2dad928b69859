// Entry of the data-plane process. What cannot start says why in one sentence.
import { createEngine } from '@srs-stack/engine';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { runGateway } from './run-gateway.ts';

runGateway(createEngine).catch((error: unknown) => {
  const text = error instanceof StartRefusal ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
});
