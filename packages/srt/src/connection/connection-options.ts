// Events and options of a connection. The options are the result of a handshake.
import type { PayloadCipher } from '../crypto/payload-cipher.ts';

export type CloseReason = 'peer-closed' | 'closed' | 'peer-timeout' | 'protocol-error';

export interface ConnectionEvents {
  /** Sends one datagram; must not throw. */
  transmit(datagram: Buffer): void;
  /** A payload, in order and at its presentation time. The buffer belongs to the callee. */
  onPayload(payload: Buffer): void;
  /** Number of packets that were skipped before the next payload. */
  onLoss?(packets: number): void;
  /** The last event. The connection then sends and delivers nothing more. */
  onClosed(reason: CloseReason): void;
}

export interface ConnectionOptions {
  readonly socketId: number;
  readonly peerSocketId: number;
  readonly initialSequence: number;
  /** Negotiated delays of TSBPD (delivery by timestamp), milliseconds. */
  readonly receiverLatencyMs: number;
  readonly senderLatencyMs: number;
  readonly peerFlowWindowPackets: number;
  /** Time base of TSBPD: a timestamp of the peer's clock, and its arrival time. Absent for version 4 callers. */
  readonly timeBase?: { readonly timestampUs: number; readonly nowUs: number };
  /** Zero point of this side's timestamps, microseconds on the clock of `now`. */
  readonly startUs: number;
  readonly cipher?: PayloadCipher;
  readonly passphrase?: string;
  readonly peerIdleTimeoutUs: number;
  readonly maxBandwidthBytesPerSecond: number;
}
