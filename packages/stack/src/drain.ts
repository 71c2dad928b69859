// Entry of `npm run drain`, which drains the running server before a stop. New publishers are refused and `/readyz` returns 503
// immediately. The command waits until all clients have disconnected, at most `--wait` seconds. `--undo` ends draining.
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { logIn } from './control-plane-call.ts';
import { readDrainOptions, tasksText, waitUntilDrained } from './drain-wait.ts';
import { dataFolder, loadEnvironment } from './environment.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

try {
  const { undo, waitSeconds } = readDrainOptions(process.argv.slice(2));
  const call = await logIn(loadEnvironment(process.env, dataFolder(process.env, checkout)));
  const state = await call(endpoints.updateDrain, { draining: !undo });
  if (undo) console.log('The server accepts publishers and tasks again.');
  else {
    console.log(`The server has accepted no new publishers since ${state.since}. ${tasksText(state)}`);
    await waitUntilDrained(state, waitSeconds, {
      look: () => call(endpoints.queryDrain, {}),
      say: (line) => console.log(line),
      nowMs: () => performance.now(),
      pause,
    });
  }
} catch (error) {
  console.error(`Not drained: ${(error as Error).message}.`);
  process.exit(1);
}
