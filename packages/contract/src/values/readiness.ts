// Why a server is not ready: the public response of `/readyz`, without secrets.

/** In order of precedence: the first applicable reason is returned. */
export const notReadyReasons = [
  'stopping',
  'starting',
  'draining',
  'storeAway',
  'mediaServerAway',
  'controlPlaneAway',
] as const;
export type NotReadyReason = (typeof notReadyReasons)[number];

/** Body of `/readyz`; the status code is 200 or 503. */
export type Readiness =
  | { readonly status: 'ready' }
  | { readonly status: 'not-ready'; readonly reason: NotReadyReason; readonly message: string };

const messages: Readonly<Record<NotReadyReason, string>> = {
  stopping: 'this server is being stopped',
  starting: 'this server is starting',
  draining: 'this server is draining: it accepts no new publishers',
  storeAway: 'the store has been unavailable for so long that new publishers are refused',
  mediaServerAway: 'no media server responds',
  controlPlaneAway: 'the control plane does not respond',
};

/** @param reason undefined: the server is ready. */
export function readinessOf(reason: NotReadyReason | undefined): Readiness {
  return reason === undefined ? { status: 'ready' } : { status: 'not-ready', reason, message: messages[reason] };
}
