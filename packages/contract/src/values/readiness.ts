// Why a server takes no new work: what `/readyz` answers. Nothing in it is secret.

/** The reason comes from the first that holds, in this order. */
export const notReadyReasons = [
  'stopping',
  'starting',
  'draining',
  'storeAway',
  'mediaServerAway',
  'controlPlaneAway',
] as const;
export type NotReadyReason = (typeof notReadyReasons)[number];

/** Answer of `/readyz`: with 200 when ready, with 503 when not. */
export type Readiness =
  | { readonly status: 'ready' }
  | { readonly status: 'not-ready'; readonly reason: NotReadyReason; readonly message: string };

/** English sentences for people who look at a health check. */
const messages: Readonly<Record<NotReadyReason, string>> = {
  stopping: 'this server is being stopped',
  starting: 'this server is starting',
  draining: 'this server is being drained: it takes no new publishers',
  storeAway: 'the store has been out of reach for so long that no publisher is let in any more',
  mediaServerAway: 'no media server answers',
  controlPlaneAway: 'the control plane does not answer',
};

/** @param reason undefined: ready. */
export function readinessOf(reason: NotReadyReason | undefined): Readiness {
  return reason === undefined ? { status: 'ready' } : { status: 'not-ready', reason, message: messages[reason] };
}
