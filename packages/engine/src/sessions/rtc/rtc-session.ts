// Common interface of both kinds of WebRTC session, and their context.
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

/** Interface for the session table. */
export interface RtcSession {
  readonly isConnecting: boolean;
  /** Interval of `tick` calls, milliseconds. */
  readonly tickIntervalMs: number;
  stateAt(now: number): RtcSessionState;
  /** False when the peer has disconnected. */
  tick(now: number): boolean;
  /** Idempotent; calls `onEnd` of its context once. How long a publisher's viewers wait for the next one depends on the reason. */
  close(reason: StreamEndReason): void;
}

export interface RtcSessionContext {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
  /** Monotonic milliseconds, of the whole engine. */
  readonly clock: () => number;
  /** Clock for the liveness of peers; excludes stalls of the process (`attendedClock`). Never mixed with `clock`. */
  readonly attended: () => number;
  readonly transport: RtcTransport;
  readonly broadcasts: SharedOutputs<WhepBroadcast>;
  /** Addresses for the answer's candidate lines. */
  readonly candidates: readonly string[];
  /** Aborted when the peer disconnected before the response, or was replaced: no session must be opened. */
  readonly left: AbortSignal;
  /** The peer is authorized: takes a place. Returns a refusal, already reported, when there is none. */
  readonly onAdmitted: () => RtcRefusal | undefined;
  /** The peer is connected, or has shown a secret: it can no longer be replaced. */
  readonly onProven: () => void;
  readonly onEnd: () => void;
}

/** The SDP answer for the peer, with the addresses at which it reaches this server. */
export function answerOf({ answer }: RtcPeer, { candidates, transport }: RtcSessionContext): string {
  const bound = { udp: transport.port, tcp: transport.tcpPort };
  return replaceCandidates(answer, candidates.map(toCandidateAddress), bound);
}

export type RtcRefusal = { ok: false } & Pick<PlayRefusal, 'reason' | 'detail' | 'codec'>;

/** Refusals are already reported. */
export type RtcOpened = { ok: true; answer: string; session: RtcSession } | RtcRefusal | 'gone';
