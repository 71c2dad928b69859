// A task whose stream a gateway pushes or pulls, without a process. The console shows the task like a run of FFmpeg.
import {
  type PushMetrics,
  programWords,
  type WorkerDetail,
  type WorkerFrame,
  type WorkerReason,
  type WorkerState,
  workerDetail,
} from '@srs-stack/contract';
import type { LogRing } from '../log-ring.ts';
import type { Usage } from '../process-usage.ts';
import { certificateFault } from './certificate-fault.ts';
import type { TransferRow } from './engine-transfers.ts';
import { pullDetail } from './pull-detail.ts';
import { PushMeter } from './push-meter.ts';
import { progressLine } from './push-progress.ts';

/** Timeout of the gateway for a target, for messages, seconds. */
const targetSeconds = 10;
/** Failures for which a quick retry does not help. */
const operatorReasons: readonly WorkerReason[] = ['address-refused', 'codec-unsupported'];

/** State of a task that a gateway runs, for the console. */
export interface PushSituation {
  readonly state: WorkerState;
  readonly reason: WorkerReason;
  readonly detail: WorkerDetail | undefined;
  readonly retryInMs: number;
}

/** The latest failure of a push, with its time. */
export interface PushFailed {
  readonly atMs: number;
  readonly reason: WorkerReason;
  readonly detail: WorkerDetail;
}

const noFailure = { reason: 'none', detail: undefined, retryInMs: 0 } as const;

export class PushRun {
  readonly pid = 0;
  readonly #ring: LogRing;
  readonly #meter = new PushMeter();
  #row: TransferRow | undefined;
  #frame: WorkerFrame = { log: '', update: '' };
  #startedAt = '';
  #readyAt = '';
  #lastLine = '';

  constructor(ring: LogRing) {
    this.#ring = ring;
  }

  get isConnected(): boolean {
    return this.#startedAt !== '';
  }

  get startedAt(): string {
    return this.#startedAt;
  }

  get reconnects(): number {
    return this.#row?.reconnects ?? 0;
  }

  readyAt(): string {
    return this.#readyAt;
  }

  frame(): WorkerFrame {
    return this.#frame;
  }

  sentMs(): number {
    return this.#row?.mediaMs ?? 0;
  }

  firstText(): string {
    return '';
  }

  /** Metrics of a push. Undefined for a pull, and until the gateway reports the push. */
  metrics(): PushMetrics | undefined {
    if (!this.#row || this.#row.isPull) return undefined;
    const { queuedMs, droppedFrames, reconnects } = this.#row;
    const { kbps, history } = this.#meter;
    return { bitrateKbps: kbps, bitrateHistoryKbps: [...history], queuedMs, droppedFrames, reconnects };
  }

  /** The latest failure. The gateway reports even a failure that ended between two readings of its status. */
  lastFailure(nowMs: number): PushFailed | undefined {
    const failure = this.#row?.lastFailure;
    if (!failure) return undefined;
    const { reason, detail, agoMs } = failure;
    return { atMs: nowMs - agoMs, reason, detail: pushDetailOf({ reason, detail }) };
  }

  usage(): Usage {
    return { cpuPercent: 0, rssBytes: 0 };
  }

  /** Processes the newest row of the gateway. Undefined: no gateway reports the transfer. */
  update(row: TransferRow | undefined, nowMs: number): PushSituation {
    this.#row = row;
    if (row && !row.isPull) this.#meter.note(row.sentBytes, nowMs);
    this.#startedAt = timeBefore(nowMs, row?.attemptMs);
    const line = row ? progressLine(row) : '';
    this.#readyAt = line === '' ? '' : timeBefore(nowMs, row?.publishingMs);
    if (line !== this.#frame.log) {
      this.#frame = { log: line, update: line === '' ? '' : new Date(nowMs).toISOString() };
      if (line !== '') this.#ring.push(line, 'progress');
    }
    const situation = toSituation(row, this.#readyAt !== '');
    this.#report(row, situation);
    return situation;
  }

  #report(row: TransferRow | undefined, { state, reason, detail }: PushSituation): void {
    const text = [
      row?.isPull ? 'pull' : 'push',
      row?.stream ?? '',
      state,
      reason === 'none' ? '' : reason,
      detail?.text ?? '',
    ];
    const line = text.filter((each) => each !== '').join(': ');
    if (line !== this.#lastLine) this.#ring.push(line, 'text');
    this.#lastLine = line;
  }
}

function timeBefore(nowMs: number, ms: number | undefined): string {
  return ms === undefined ? '' : new Date(nowMs - ms).toISOString();
}

function toSituation(row: TransferRow | undefined, isReady: boolean): PushSituation {
  switch (row?.state) {
    case 'publishing':
      return { state: isReady ? 'running' : 'starting', ...noFailure };
    case 'paused':
      return { ...noFailure, state: 'waiting', reason: 'source-paused', detail: workerDetail('source-paused') };
    case 'retrying':
      return {
        state: operatorReasons.includes(row.reason) ? 'error' : 'retrying',
        reason: row.reason,
        detail: detailOf(row),
        retryInMs: row.retryInMs,
      };
    case 'idle':
      if (row.reason === 'none') return { state: 'waiting', ...noFailure };
      return { state: 'waiting', reason: row.reason, detail: detailOf(row), retryInMs: 0 };
    default:
      return row?.startsInMs === undefined ? { state: 'starting', ...noFailure } : delayed(row.startsInMs);
  }
}

function delayed(startsInMs: number): PushSituation {
  const detail = workerDetail('delay-filling', { seconds: Math.ceil(startsInMs / 1000) });
  return { ...noFailure, state: 'waiting', reason: 'delayed', detail };
}

function detailOf(row: TransferRow): WorkerDetail {
  return row.isPull ? pullDetail(row) : pushDetailOf(row);
}

/** Status texts for failures of a push that the gateway reports. */
export function pushDetailOf({ reason, detail }: Pick<TransferRow, 'reason' | 'detail'>): WorkerDetail {
  if (reason === 'timeout' && detail === '') return workerDetail('target-silent', { seconds: targetSeconds });
  if (reason === 'stalled') return workerDetail('target-full', { seconds: targetSeconds });
  if (reason === 'tls-failed') return certificateDetail(detail) ?? programWords(detail);
  return detail === '' ? workerDetail('target-closed') : programWords(detail);
}

function certificateDetail(message: string): WorkerDetail | undefined {
  const fault = message.startsWith('TLS_CLOSED:') ? 'tls-closed' : certificateFault(message);
  return fault && workerDetail(fault);
}
