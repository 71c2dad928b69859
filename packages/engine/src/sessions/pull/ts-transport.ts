// What carries MPEG-TS from a source, for one attempt: SRT, datagrams, or HLS segments.
import type { ClientType } from '../../session-info.ts';
import type { PullFailure } from './pull-status.ts';

export interface TsTransport {
  readonly type: ClientType;
  readonly limits: {
    /** The first packet must come this long after the attempt began, milliseconds. */
    readonly mediaMs: number;
    /** A source without a packet for this long is left, milliseconds. */
    readonly stallMs: number;
  };
  /** Media comes in bursts, and is passed on at the pace of its timestamps. */
  readonly isPaced: boolean;
  /** Of a paced source: more of its media waits than necessary. */
  readonly isBehind?: boolean;
  /** Payloads that never came. */
  readonly lostPackets: number;
  /** Why nothing came, where the transport knows more. */
  silence?(): PullFailure | undefined;
  /** Call a few times per second. */
  tick(now: number): void;
  /** Releases everything; no event follows. Idempotent. */
  close(): void;
}

export interface TsTransportEvents {
  /** The source is connected. Resolves to true when its payloads are taken; otherwise the attempt is over. Never rejects. */
  onConnected(ip: string): Promise<boolean>;
  /** Valid during the call. */
  onPayload(payload: Buffer): void;
  /** That many payloads are missing before the next one. */
  onLoss(payloads: number): void;
  /** The next payload begins another transport stream. */
  onRestart(): void;
  /** Of a paced transport: resolves when more payloads are wanted. */
  hasRoom(): Promise<void>;
  /** Of a paced transport: resolves when all media was passed on. */
  isPassedOn(): Promise<void>;
  /** Last event. */
  onFailed(failure: PullFailure): void;
}

/** For promises that the owner of the transport settles itself. */
export function neverRejects(error: unknown): never {
  throw error;
}
