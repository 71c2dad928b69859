// Classifies the end of a run: the input ended, the operator must act, or a retry is useful.
import { type WorkerDetail, type WorkerReason, workerDetail } from '@srs-stack/contract';
import { failureOf } from './failure-reason.ts';
import type { Exit } from './launch.ts';
import { stallMs } from './stall-watch.ts';

export interface WorkerEnding {
  readonly kind: 'ended' | 'operator' | 'failed';
  readonly reason: WorkerReason;
  readonly detail: WorkerDetail;
}

interface EndedRun {
  ranItsTime(): boolean;
  killedFor(): WorkerReason | undefined;
  lines(): readonly string[];
  isReady(): boolean;
}

/** Failures for which a quick retry does not help. */
const operatorReasons: readonly WorkerReason[] = [
  'file-missing',
  'codec-unsupported',
  'address-refused',
  'input-invalid',
  'limit-reached',
];

export function explainExit(exit: Exit, run: EndedRun): WorkerEnding {
  if (exit.startError) return startFailure(exit.startError);
  if (run.ranItsTime()) return { kind: 'ended', reason: 'source-ended', detail: workerDetail('ran-its-time') };
  const killedFor = run.killedFor();
  if (killedFor) return { kind: 'failed', ...watchdogEnding(killedFor, run) };
  if (exit.code === 0) return { kind: 'ended', reason: 'source-ended', detail: workerDetail('source-ended') };
  const failure = failureOf({ ...exit, lines: run.lines() });
  const needsOperator = !run.isReady() && operatorReasons.includes(failure.reason);
  return { kind: needsOperator ? 'operator' : 'failed', ...failure };
}

function startFailure(startError: string): WorkerEnding {
  const isMissing = startError === 'ENOENT';
  const detail = isMissing ? workerDetail('ffmpeg-missing') : workerDetail('ffmpeg-not-started', { error: startError });
  return { kind: 'operator', reason: isMissing ? 'ffmpeg-missing' : 'failed', detail };
}

/**
 * Reason and message for a process that the stall watch killed. A killed process reports no reason; its log and progress show whether
 * source or target is silent.
 */
function watchdogEnding(reason: WorkerReason, run: EndedRun): { reason: WorkerReason; detail: WorkerDetail } {
  const seconds = stallMs / 1_000;
  if (reason === 'source-ended') return { reason, detail: workerDetail('source-not-back') };
  if (reason === 'too-slow') return { reason, detail: workerDetail('too-slow') };
  if (reason === 'no-picture') return { reason, detail: workerDetail('no-picture', { seconds }) };
  if (reason === 'too-fast') return { reason, detail: workerDetail('source-too-fast') };
  const lines = run.lines();
  if (run.isReady()) return { reason, detail: workerDetail('target-full', { seconds }) };
  const hasInput = lines.some((line) => line.startsWith('Input #0'));
  const silent = hasInput ? 'target-silent' : 'source-silent';
  return { reason: 'timeout', detail: workerDetail(silent, { seconds }) };
}
