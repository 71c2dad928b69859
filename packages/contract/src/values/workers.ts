export const workerKinds = ['forward', 'vlive', 'transcode'] as const;

/**
 * `idle`: off since the start of the server. `waiting`: enabled, but there is nothing to send. `starting`: runs, but has sent no frame.
 * `running`: media flows. `retrying`: failed, restarts in `retryInMs`. `stopped`: switched off while the server was running. `error`: needs
 * the operator, but retries at long intervals.
 */
export const workerStates = ['idle', 'waiting', 'starting', 'running', 'retrying', 'stopped', 'error'] as const;

/** Why a worker is not running, or why it last ended. The console has a message and a remedy for each reason. */
export const workerReasons = [
  'none',
  'source-not-live',
  'source-paused',
  'source-ended',
  'delayed',
  'media-server-away',
  'connection-refused',
  'connection-closed',
  'host-unknown',
  'network-unreachable',
  'not-authorized',
  'not-found',
  'publish-rejected',
  'timeout',
  'stalled',
  'no-picture',
  'too-slow',
  'too-fast',
  'tls-failed',
  'file-missing',
  'file-elsewhere',
  'file-coming',
  'input-invalid',
  'codec-unsupported',
  'address-refused',
  'settings-invalid',
  'ffmpeg-missing',
  'switched-off',
  'no-server',
  'scheduled',
  'killed',
  'limit-reached',
  'failed',
] as const;
