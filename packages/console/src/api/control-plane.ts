// Watches whether the server is reachable. While it is unreachable, one banner replaces the messages of failed calls.
// A probe polls until the server responds. Then all screens refresh.
import { calls } from '@srs-stack/contract/calls.ts';
import { call, onCallOutcome } from './api-client.ts';
import { isControlPlaneDown } from './api-error.ts';

/** Shortest and longest interval between probes, milliseconds. A restart takes one to two seconds. */
const firstProbeMs = 800;
const longestProbeMs = 5_000;

export type ControlPlaneState = 'up' | 'away';

let state: ControlPlaneState = 'up';
let nextProbeMs = firstProbeMs;
const listeners = new Set<() => void>();

export const controlPlane = {
  state: (): ControlPlaneState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** Starts watching. The returned function stops it. */
export function watchControlPlane(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const probeLater = () => {
    timer = setTimeout(() => {
      nextProbeMs = Math.min(nextProbeMs * 1.5, longestProbeMs);
      call(calls.queryVersion, {}).catch(() => {});
    }, nextProbeMs);
  };
  const unsubscribe = onCallOutcome(({ error }) => {
    const away = error !== undefined && isControlPlaneDown(error);
    clearTimeout(timer);
    if (away) probeLater();
    else nextProbeMs = firstProbeMs;
    setState(away ? 'away' : 'up');
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
    setState('up');
  };
}

function setState(next: ControlPlaneState): void {
  if (state === next) return;
  state = next;
  for (const listener of listeners) listener();
}
