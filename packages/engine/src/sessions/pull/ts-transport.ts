// A transport of MPEG-TS from a source, for one attempt: SRT, datagrams, or HLS segments.
import type { ClientType } from '../../session-info.ts';
import type { PullFailure } from './pull-status.ts';

export interface TsTransport {
  readonly type: ClientType;
  readonly limits: {
    /** Timeout for the first packet after the start of the attempt, milliseconds. */
    readonly mediaMs: number;
    /** A source without a packet for this time is disconnected, milliseconds. */
    readonly stallMs: number;
  };
  /** Media arrives in bursts, and is passed on at the pace of its timestamps. */
  readonly isPaced: boolean;
  /** Whether more media of a paced source is queued than necessary. */
  readonly isBehind?: boolean;
  /** Payloads that never arrived. */
  readonly lostPackets: number;
  /** Why no media arrived, if the transport knows the reason. */
  silence?(): PullFailure | undefined;
  /** Call a few times per second. */
  tick(now: number): void;
  /** Releases everything; no event follows. Idempotent. */
  close(): void;
}

export interface TsTransportEvents {
  /** The source is connected. Resolves to true when its payloads are accepted; otherwise the attempt has ended. Never rejects. */
  onConnected(ip: string): Promise<boolean>;
  /** The buffer is valid only during the call. */
  onPayload(payload: Buffer): void;
  /** Called when this number of payloads is missing before the next one. */
  onLoss(payloads: number): void;
  /** The next payload starts another transport stream. */
  onRestart(): void;
  /** For a paced transport: resolves when it should pass on more payloads. */
  hasRoom(): Promise<void>;
  /** For a paced transport: resolves when all media has been passed on. */
  isPassedOn(): Promise<void>;
  /** Last event. */
  onFailed(failure: PullFailure): void;
}

/** Rejection handler for promises that never reject by contract: a rejection is a bug, and is thrown. */
export function neverRejects(error: unknown): never {
  throw error;
}
