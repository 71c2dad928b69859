// `config/watching.json`: the access rules for gateways of this machine. Gateways apply the rules even while the control plane is down.

import type { WatchSettings } from '@srs-stack/playback/access/watch-settings.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';

/** Mode of the file, because the file contains keys. */
const ownerOnly = 0o600;

export interface WatchFile {
  write(settings: WatchSettings): Promise<void>;
}

export function createWatchFile(path: string): WatchFile {
  const oneAtATime = createOneAtATime();
  return {
    write: (settings) =>
      oneAtATime(() => writeFileAtomically(path, `${JSON.stringify(settings, null, 2)}\n`, ownerOnly)),
  };
}
