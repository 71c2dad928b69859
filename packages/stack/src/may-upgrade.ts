// Entry of `npm run may-upgrade`: succeeds only while the upgrade window of the running server is open. A nightly `npm run may-upgrade &&
// npm run upgrade` so respects the window that is set in the console.
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
