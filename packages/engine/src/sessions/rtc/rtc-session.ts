// Interface and context of WebRTC sessions, publishing and playing.
import { replaceCandidates, toCandidateAddress } from '@srs-stack/media/protocols/sdp/candidates.ts';
import type { SharedOutputs } from '../../egress/shared-outputs.ts';
import type { WhepBroadcast } from '../../egress/whep/whep-broadcast.ts';
import type { StreamHub } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { EnginePorts } from '../../ports.ts';
import type { RtcPeer, RtcTransport } from '../../webrtc-transport/webrtc-transport.ts';
import type { PlayGate, PlayRefusal } from '../gate/play-gate.ts';
import type { Refusals } from '../gate/refusals.ts';
import type { RtcSessionState } from './rtc-blocking-sessions.ts';

/** A WebRTC session, as the session table sees it. */
export interface RtcSession {
  readonly isConnecting: boolean;
  readonly tickIntervalMs: number;
  stateAt(now: number): RtcSessionState;
  /** False when the session has ended, or the peer was silent or connecting for too long. */
  tick(now: number): boolean;
  /** Ends the session. Idempotent. `reason` determines how long the viewers of a publisher wait for the next publisher. */
  close(reason: StreamEndReason): void;
}

export interface RtcSessionContext {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
  /** Monotonic milliseconds, shared by the whole engine. */
  readonly clock: () => number;
  /**
   * Clock that excludes stalls of the process (`attendedClock`), to detect silent peers. Do not compare times of this clock with times of
   * `clock`.
   */
  readonly attended: () => number;
  readonly transport: RtcTransport;
  readonly broadcasts: SharedOutputs<WhepBroadcast>;
  readonly candidates: readonly string[];
  /** Aborted when the peer has disconnected before the response or was replaced. After an abort, do not open a session. */
  readonly left: AbortSignal;
  /** Takes a place for an authorized peer. Returns a reported refusal when no place is free. */
  readonly onAdmitted: () => RtcRefusal | undefined;
  /** Call when a player is connected or a publisher is admitted. After this call, no other peer can replace the peer. */
  readonly onProven: () => void;
  readonly onEnd: () => void;
}

/** The SDP answer for the peer, with the addresses of this server. */
export function answerOf({ answer }: RtcPeer, { candidates, transport }: RtcSessionContext): string {
  const bound = { udp: transport.port, tcp: transport.tcpPort };
  return replaceCandidates(answer, candidates.map(toCandidateAddress), bound);
}

export type RtcRefusal = { ok: false } & Pick<PlayRefusal, 'reason' | 'detail' | 'codec'>;

/** A refusal has already been reported to the host. */
export type RtcOpened = { ok: true; answer: string; session: RtcSession } | RtcRefusal | 'gone';
