// `npm start` for tests: the loop over releases, with fake servers instead of the checkout's. `CUT_AT` names the step with a simulated
// power failure, `STOP_AT` the step with a stop request. `NEXT` names the release for which the servers stop at their first run.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { handOverTo } from '../hand-over.ts';
import { releaseFolders } from '../release-folders.ts';
import { changeReleaseState, noteReady } from '../release-state.ts';
import { runReleases, type ServersEnd } from '../run-releases.ts';

const {
  DATA_DIR: dataDir = '',
  CHECKOUT: checkout = '',
  CUT_AT: cutAt,
  STOP_AT: stopAt,
  READY_WITHIN_MS: readyWithinMs = '60000',
} = process.env;
let runs = 0;

async function runServers(): Promise<ServersEnd> {
  runs += 1;
  appendFileSync(join(dataDir, 'starts.log'), 'checkout\n');
  if (process.env.NEXT && runs === 1) {
    await changeReleaseState(releaseFolders(dataDir).state, { next: process.env.NEXT });
    return { kind: 'change', stoppedAtMs: Date.now() };
  }
  await noteReady(releaseFolders(dataDir).state, Date.now());
  const ended = new Promise<ServersEnd>((resolve) => {
    const timer = setInterval(() => undefined, 60_000);
    process.once('SIGTERM', () => {
      clearInterval(timer);
      resolve({ kind: 'ended', exitCode: 0 });
    });
  });
  // A test waits for this line before it requests a stop.
  console.log('serving');
  return ended;
}

process.exitCode = await runReleases({
  dataDir,
  folder: checkout,
  checkout,
  runServers,
  handOver: (folder) => handOverTo({ folder, dataDir, checkout }),
  say: (line) => console.log(line),
  readyWithinMs: Number(readyWithinMs),
  onStep: (step) => {
    console.log(`step ${step}`);
    if (step === cutAt) process.kill(process.pid, 'SIGKILL');
    if (step === stopAt) process.kill(process.pid, 'SIGTERM');
  },
});
