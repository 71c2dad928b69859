// Interface of a source that sends MPEG-TS over SRT, datagrams or HLS segments, for one connection attempt.
import type { ClientType } from '../../session-info.ts';
import type { PullFailure } from './pull-status.ts';

export interface TsTransport {
  readonly type: ClientType;
  readonly limits: {
    /** Timeout for the first packet of an attempt, milliseconds. */
    readonly mediaMs: number;
    /** A source that sends no packet for this time is disconnected, milliseconds. */
    readonly stallMs: number;
  };
  /** True when media arrives in bursts and must be passed on at the pace of its timestamps. */
  readonly isPaced: boolean;
  /** True when a paced source has queued more media than necessary. */
  readonly isBehind?: boolean;
  readonly lostPackets: number;
  /** The reason why no media arrived, if known. */
  silence?(): PullFailure | undefined;
  /** Call a few times per second. */
  tick(now: number): void;
  /** Releases everything; no event follows. Idempotent. */
  close(): void;
}

export interface TsTransportEvents {
  /**
   * Called when the source is connected. Resolves with true when payloads are accepted, or with false after the end of the attempt. Never
   * rejects.
   */
  onConnected(ip: string): Promise<boolean>;
  /** The buffer is valid only during the call. */
  onPayload(payload: Buffer): void;
  /** This number of payloads was lost before the next `onPayload`. */
  onLoss(payloads: number): void;
  /** The next payload belongs to another transport stream. */
  onRestart(): void;
  /** Resolves when a paced transport may pass on more payloads. */
  hasRoom(): Promise<void>;
  /** Resolves when all payloads of a paced transport have been passed on. */
  isPassedOn(): Promise<void>;
  /** Last event. */
  onFailed(failure: PullFailure): void;
}

/** Rejection handler for a promise that must never reject: throws the error, because a rejection is a bug. */
export function neverRejects(error: unknown): never {
  throw error;
}
