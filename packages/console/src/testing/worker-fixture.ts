// A worker that has never run, for tests: the FFmpeg part of a status row, and the task of the transcoder.
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
