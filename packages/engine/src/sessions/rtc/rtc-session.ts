// What both kinds of WebRTC session are to the table that keeps them, and what they work with.
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

/** What the table needs of a session. */
export interface RtcSession {
  readonly isConnecting: boolean;
  /** How often it wants to be looked at, milliseconds. */
  readonly tickIntervalMs: number;
  stateAt(now: number): RtcSessionState;
  /** False when the peer is gone. */
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
  /** By which peers are heard and looked at; leaves out what the process stood still (`attendedClock`). Never mixed with `clock`. */
  readonly attended: () => number;
  readonly transport: RtcTransport;
  readonly broadcasts: SharedOutputs<WhepBroadcast>;
  /** Addresses for the answer's candidate lines. */
  readonly candidates: readonly string[];
  /** Aborted when the peer hung up before it was answered, or made room for a newer one: nothing is to be opened for it. */
  readonly left: AbortSignal;
  /** The peer is allowed in: it takes a place. A refusal when there is none, which is reported already. */
  readonly onAdmitted: () => RtcRefusal | undefined;
  /** The admitted peer is connected, or has shown a secret: it no longer makes room for others. */
  readonly onProven: () => void;
  readonly onEnd: () => void;
}

/** The peer's answer, with the addresses at which it reaches this server. */
export function answerOf({ answer }: RtcPeer, { candidates, transport }: RtcSessionContext): string {
  const bound = { udp: transport.port, tcp: transport.tcpPort };
  return replaceCandidates(answer, candidates.map(toCandidateAddress), bound);
}

export type RtcRefusal = { ok: false } & Pick<PlayRefusal, 'reason' | 'detail' | 'codec'>;

/** Refusals are reported already. */
export type RtcOpened = { ok: true; answer: string; session: RtcSession } | RtcRefusal | 'gone';
