// Entry of `npm run may-upgrade`, which succeeds only while the upgrade window of the running server is open. The console sets the window.
// A nightly `npm run may-upgrade && npm run upgrade` upgrades only within this window.
import { fileURLToPath } from 'node:url';
import { endpoints } from '@srs-stack/contract';
import { logIn } from './control-plane-call.ts';
import { dataFolder, loadEnvironment } from './environment.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));

try {
  const call = await logIn(loadEnvironment(process.env, dataFolder(process.env, checkout)));
  const { isOpen, opensAt, closesAt, liveStreams } = await call(endpoints.queryUpgradeWindow, {});
  const live = `${liveStreams} live stream${liveStreams === 1 ? '' : 's'} would be interrupted`;
  if (!isOpen) throw new Error(`the upgrade window is closed and opens at ${opensAt}`);
  console.log(`The upgrade window is open until ${closesAt}; ${live}.`);
} catch (error) {
  console.error(`No upgrade now: ${(error as Error).message}.`);
  process.exit(1);
}
