// Evaluates a response of the control plane as SRS does, and converts a refusal to a reason of the engine
// (docs/reference/protocols/media-server-api.md, "Callbacks"). Also reads the validity and the batch limit in a response. Pure.

import type { ErrorName } from '@srs-stack/contract/errors.ts';
import { maxSegmentsPerCall } from '@srs-stack/contract/limits.ts';
import type { RefusalReason, Verdict } from '@srs-stack/engine';

/** A response, or the reason why there was no response. */
export type CallbackOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: string }
  | { readonly kind: 'away'; readonly detail: string; readonly timedOut: boolean };

/**
 * Refusal reasons for some error names of the control plane. For other names, the reason is `control-plane-away` with a status of 500 or
 * above, else `callback-refused`.
 */
const reasonOfName: ReadonlyMap<string, RefusalReason> = new Map<ErrorName, RefusalReason>([
  ['publishSecretWrong', 'publish-secret-wrong'],
  ['callbackRefused', 'callback-refused'],
  ['streamBusy', 'stream-busy'],
  ['streamNameInvalid', 'name-invalid'],
  ['usageLimitReached', 'usage-limit'],
  ['serverDraining', 'draining'],
  ['watchRefused', 'link-wrong'],
  ['watchRightMissing', 'link-missing'],
  ['storeNotReady', 'control-plane-away'],
  ['controlPlaneRestarting', 'control-plane-away'],
  ['internal', 'control-plane-away'],
]);

/** Longest detail, characters. The detail is shown in a log line and in a table row. */
const maxDetailLength = 300;

export function toVerdict(outcome: CallbackOutcome): Verdict {
  if (outcome.kind === 'away') return refuse('control-plane-away', outcome.detail);
  const { status, body } = outcome;
  if (status === 200 || status === 201) return judgeBody(body);
  const failure = readFailure(body);
  const fallback = status >= 500 ? 'control-plane-away' : 'callback-refused';
  const reason = reasonOfName.get(failure.name) ?? fallback;
  return refuse(reason, failure.message || `the control plane responded with HTTP ${status}`);
}

function judgeBody(body: string): Verdict {
  if (body.trim() === '0') return { allowed: true };
  const response = parseObject(body);
  if (!response) return refuse('callback-refused', 'the control plane sent no valid response');
  if (response.code === 0) return { allowed: true };
  return refuse('callback-refused', `the control plane responded with code ${String(response.code)}`);
}

/** Validity of a successful `on_play` response, seconds; 0 when the response contains none. */
export function watchSecondsOf(outcome: CallbackOutcome): number {
  const { watchSeconds } = outcome.kind === 'answer' ? dataOf(outcome.body) : {};
  return typeof watchSeconds === 'number' && Number.isFinite(watchSeconds) ? Math.max(0, watchSeconds) : 0;
}

/** Number of HLS segments that the control plane accepts per call; 1 when the response contains none. */
export function segmentsPerCallOf(outcome: CallbackOutcome): number {
  const { segmentsPerCall } = outcome.kind === 'answer' ? dataOf(outcome.body) : {};
  return Number.isInteger(segmentsPerCall) ? Math.min(Math.max(1, segmentsPerCall as number), maxSegmentsPerCall) : 1;
}

function readFailure(body: string): { name: string; message: string } {
  const { name, message } = dataOf(body);
  return { name: typeof name === 'string' ? name : '', message: typeof message === 'string' ? message : '' };
}

function dataOf(body: string): Record<string, unknown> {
  const data = parseObject(body)?.data;
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function refuse(reason: RefusalReason, detail: string): Verdict {
  return { allowed: false, reason, detail: detail.slice(0, maxDetailLength) };
}
