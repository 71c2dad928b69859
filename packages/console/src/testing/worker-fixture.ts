import type { TranscodeTask, WorkerStatus } from '@srs-stack/contract';

export const idleWorker: WorkerStatus = {
  state: 'idle',
  reason: 'none',
  reasonDetail: '',
  retryInMs: 0,
  restarts: 0,
  pid: 0,
  cpuPercent: 0,
  rssBytes: 0,
  command: '',
  heartbeat: [],
};

export const idleTranscode: TranscodeTask = {
  ...idleWorker,
  uuid: 'u',
  enabled: false,
  input: '',
  output: '',
  frame: { log: '', update: '' },
};
