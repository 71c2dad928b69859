// `config/watching.json`: what the gateways of this machine judge viewers by, while this control plane is away too.
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import type { WatchSettings } from '@srs-stack/process/watch-rights/watch-settings.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';

/** It holds keys. */
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
