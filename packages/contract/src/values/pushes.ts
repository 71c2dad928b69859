// Values for pushes: a gateway sends a stream to another server.

/** `waiting`: the stream is not published. `paused`: connected, but the publisher is disconnected. `retrying`: the last attempt failed. */
export const pushStates = ['waiting', 'connecting', 'publishing', 'paused', 'retrying'] as const;

/** Why a push does not send. Workers have these reasons too. */
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
