// Enumerations of a pull: a gateway receives a stream from another server, such as a camera.

/** States of a pull. `connecting`: until the first media. `retrying`: failed, reconnects. `waiting`: on demand, without viewers. */
export const pullStates = ['connecting', 'pulling', 'retrying', 'waiting'] as const;

/** Why a pull receives no media; each is also a reason of workers. */
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

/** The exact failure, which consoles translate. `none`: only the detail of the row describes it. */
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
