// State machine of publishing from a browser: connect, live, wait, reconnect. Time and random numbers are parameters. Pure.
import { retryDelaysMs } from '../session-state.ts';
import type { RtcProblem, RtcProblemKind } from './rtc-problem.ts';

export type PublishState =
  | { name: 'idle' }
  /** `wasLive`: an earlier session of this publisher may still occupy the stream on the server. */
  | { name: 'connecting'; attempt: number; wasLive: boolean }
  | { name: 'live'; sinceMs: number }
  | { name: 'waiting'; problem: RtcProblem; attempt: number; wasLive: boolean; retryAtMs: number }
  | { name: 'failed'; problem: RtcProblem };

export type PublishEvent =
  | { type: 'start' }
  | { type: 'stop' }
  | { type: 'connected' }
  | { type: 'problem'; problem: RtcProblem }
  | { type: 'tick' };

/** Problems that a retry cannot solve. */
const finalProblems: readonly RtcProblemKind[] = ['unauthorized', 'refused', 'codec', 'invalid', 'browser'];
/** Random share of each pause, which spreads the reconnects after a server restart. */
const retryJitter = 0.25;

/** Returns the next state, or the identical object if nothing changed. @param chance random number, 0 to 1. */
export function nextPublishState(
  state: PublishState,
  event: PublishEvent,
  nowMs: number,
  chance: number,
): PublishState {
  switch (event.type) {
    case 'start':
      return { name: 'connecting', attempt: 0, wasLive: false };
    case 'stop':
      return state.name === 'idle' ? state : { name: 'idle' };
    case 'connected':
      return state.name === 'connecting' ? { name: 'live', sinceMs: nowMs } : state;
    case 'problem':
      return onProblem(state, event.problem, nowMs, chance);
    case 'tick':
      return state.name === 'waiting' && nowMs >= state.retryAtMs
        ? { name: 'connecting', attempt: state.attempt + 1, wasLive: state.wasLive }
        : state;
  }
}

/** Whether a connection should exist in this state. */
export function isPublishing(state: PublishState): boolean {
  return state.name === 'connecting' || state.name === 'live';
}

function onProblem(state: PublishState, problem: RtcProblem, nowMs: number, chance: number): PublishState {
  if (state.name !== 'connecting' && state.name !== 'live') return state;
  const wasLive = state.name === 'live' || state.wasLive;
  // The server keeps an interrupted session for some seconds, so "busy" may refer to the publisher's own session.
  const isFinal = finalProblems.includes(problem.kind) || (problem.kind === 'busy' && !wasLive);
  if (isFinal) return { name: 'failed', problem };
  const attempt = state.name === 'connecting' ? state.attempt : 0;
  const delay = retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)] ?? 0;
  const retryAtMs = nowMs + Math.round(delay * (1 + retryJitter * (2 * chance - 1)));
  return { name: 'waiting', problem, attempt, wasLive, retryAtMs };
}
