// Values for pulls: a gateway receives a stream from another server, such as a camera.

/** `connecting`: no media yet. `retrying`: the last attempt failed. `waiting`: on demand, without viewers. */
export const pullStates = ['connecting', 'pulling', 'retrying', 'waiting'] as const;

/** Why a pull receives no media. Workers have these reasons too. */
export const pullReasons = [
  'none',
  'address-refused',
  'codec-unsupported',
  'connection-closed',
  'connection-refused',
  'failed',
  'host-unknown',
  'input-invalid',
  'network-unreachable',
  'not-authorized',
  'not-found',
  'publish-rejected',
  'stalled',
  'timeout',
  'tls-failed',
] as const;

/** The exact failure, which clients can translate. `none`: only the English detail describes the failure. */
export const pullFaults = [
  'none',
  'address-invalid',
  'credentials-missing',
  'credentials-refused',
  'leads-inward',
  'needs-ffmpeg',
  'no-datagrams',
  'no-media',
  'no-tcp',
  'no-udp',
  'not-connected',
  'not-local',
  'not-mpegts',
  'passphrase-refused',
  'playlist-ended',
  'playlist-invalid',
  'redirects-elsewhere',
  'redirects-in-circle',
  'redirects-unencrypted',
  'scheme-unknown',
  'sender-refused',
  'sends-nothing',
  'udp-blocked',
  'udp-off',
  'udp-port-taken',
  'video-unsupported',
] as const;
