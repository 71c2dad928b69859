// Words of a supervised FFmpeg process.

export const workerKinds = ['forward', 'vlive', 'transcode'] as const;

/**
 * `idle`: switched off. `waiting`: on, nothing to send yet. `starting`: the process runs, no picture came through yet.
 * `running`: media flows. `retrying`: failed, starts again in `retryInMs`. `stopped`: switched off by the operator since
 * the server started. `error`: failed in a way that needs the operator; it is still tried again now and then.
 */
export const workerStates = ['idle', 'waiting', 'starting', 'running', 'retrying', 'stopped', 'error'] as const;

/** Why a worker is not running, or why it ended last. The console has a sentence and a remedy for each. */
export const workerReasons = [
  'none',
  'source-not-live',
  'source-paused',
  'source-ended',
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
