// Enumerations of a push: a gateway sends a stream to another server.

/**
 * States of a push. `waiting`: the stream is not published. `paused`: connected, but the publisher is disconnected. `retrying`: failed;
 * reconnects.
 */
export const pushStates = ['waiting', 'connecting', 'publishing', 'paused', 'retrying'] as const;

/** Why a push does not send; workers have the same reasons. */
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
