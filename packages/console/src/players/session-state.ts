// State machine of a live playback: connect, play, stall, wait, reconnect. Time and random numbers are parameters. Pure.
import type { PlaybackProblem } from './playback.ts';

export type SessionState =
  | { name: 'connecting'; attempt: number; sinceMs: number }
  | { name: 'playing'; lastProgressMs: number; stalled: boolean }
  | { name: 'waiting'; problem: PlaybackProblem; attempt: number; retryAtMs: number }
  | { name: 'failed'; problem: PlaybackProblem };

export type SessionEvent =
  /** The video advanced, or the viewer has paused the video. */
  { type: 'progress' } | { type: 'problem'; problem: PlaybackProblem } | { type: 'tick' } | { type: 'retry' };

/** Time without progress before "waiting for data" is shown, milliseconds. */
export const stallNoticeMs = 2_000;
/** Time without progress before a reconnect, milliseconds; longer than an encoder restart. */
export const stallReconnectMs = 12_000;
/** Time without a first frame before a reconnect, milliseconds; longer than common GOPs. */
export const connectTimeoutMs = 20_000;
/** Pauses between attempts, milliseconds; the last value repeats. */
export const retryDelaysMs = [1_000, 2_000, 3_000, 5_000, 8_000] as const;
/** Random share of each pause, which spreads the reconnects of all viewers. */
const retryJitter = 0.25;

const finalProblems: readonly PlaybackProblem['kind'][] = ['codec', 'browser', 'not-allowed'];

export function firstState(nowMs: number): SessionState {
  return { name: 'connecting', attempt: 0, sinceMs: nowMs };
}

/** Returns the next state, or the identical object if nothing changed. @param chance random number, 0 to 1. */
export function nextState(state: SessionState, event: SessionEvent, nowMs: number, chance: number): SessionState {
  switch (event.type) {
    case 'retry':
      return firstState(nowMs);
    case 'problem':
      return onProblem(state, event.problem, nowMs, chance);
    case 'progress':
      return state.name === 'connecting' || state.name === 'playing'
        ? { name: 'playing', lastProgressMs: nowMs, stalled: false }
        : state;
    case 'tick':
      return onTick(state, nowMs, chance);
  }
}

/** Whether the player should run in this state. */
export function isActive(state: SessionState): boolean {
  return state.name === 'connecting' || state.name === 'playing';
}

/** Whole seconds until the next attempt; 0 if none is scheduled. */
export function retryInSeconds(state: SessionState, nowMs: number): number {
  return state.name === 'waiting' ? Math.max(1, Math.ceil((state.retryAtMs - nowMs) / 1000)) : 0;
}

function onProblem(state: SessionState, problem: PlaybackProblem, nowMs: number, chance: number): SessionState {
  if (!isActive(state)) return state;
  if (finalProblems.includes(problem.kind)) return { name: 'failed', problem };
  const attempt = state.name === 'connecting' ? state.attempt : 0;
  return { name: 'waiting', problem, attempt, retryAtMs: nowMs + retryDelay(attempt, chance) };
}

function onTick(state: SessionState, nowMs: number, chance: number): SessionState {
  if (state.name === 'waiting' && nowMs >= state.retryAtMs) {
    return { name: 'connecting', attempt: state.attempt + 1, sinceMs: nowMs };
  }
  if (state.name === 'connecting' && nowMs - state.sinceMs >= connectTimeoutMs) {
    return onProblem(state, { kind: 'not-live' }, nowMs, chance);
  }
  if (state.name !== 'playing') return state;
  const idleMs = nowMs - state.lastProgressMs;
  if (idleMs >= stallReconnectMs) return onProblem(state, { kind: 'stalled' }, nowMs, chance);
  const stalled = idleMs >= stallNoticeMs;
  return stalled === state.stalled ? state : { ...state, stalled };
}

function retryDelay(attempt: number, chance: number): number {
  const delay = retryDelaysMs[Math.min(attempt, retryDelaysMs.length - 1)] ?? 0;
  return Math.round(delay * (1 + retryJitter * (2 * chance - 1)));
}
