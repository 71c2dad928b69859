// Enumerations of a push: a gateway sends a stream to another server.

/**
 * `waiting`: the stream is not published. `connecting`, `publishing`; `paused`: connected, and the publisher is briefly disconnected.
 * `retrying`: failed, connects again.
 */
export const pushStates = ['waiting', 'connecting', 'publishing', 'paused', 'retrying'] as const;

/** Why a push does not send; workers use the same reasons. */
export const pushReasons = [
  'none',
  'address-refused',
  'codec-unsupported',
  'connection-closed',
  'connection-refused',
  'failed',
  'host-unknown',
  'network-unreachable',
  'not-authorized',
  'publish-rejected',
  'stalled',
  'timeout',
  'tls-failed',
] as const;
