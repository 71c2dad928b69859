// What a finished handshake hands to the connection.
import type { PayloadCipher } from '../crypto/payload-cipher.ts';

export type CloseReason = 'peer-closed' | 'closed' | 'peer-timeout' | 'protocol-error';

export interface ConnectionEvents {
  /** Puts one datagram on the wire; must not throw. */
  transmit(datagram: Buffer): void;
  /** One payload in order, at its presentation time. The buffer belongs to the receiver. */
  onPayload(payload: Buffer): void;
  /** Packets were given up before the next payload. */
  onLoss?(packets: number): void;
  /** Last event; the connection sends and delivers nothing more. */
  onClosed(reason: CloseReason): void;
}

export interface ConnectionOptions {
  readonly socketId: number;
  readonly peerSocketId: number;
  /** First sequence number of both directions. */
  readonly initialSequence: number;
  /** Negotiated TSBPD delays, milliseconds. */
  readonly receiverLatencyMs: number;
  readonly senderLatencyMs: number;
  /** Packets the peer is willing to hold. */
  readonly peerFlowWindowPackets: number;
  /** Sender clock of the packet that fixed the time base and its arrival; absent for version 4 callers. */
  readonly timeBase?: { readonly timestampUs: number; readonly nowUs: number };
  /** Origin of this side's timestamps, microseconds on the same clock as `now`. */
  readonly startUs: number;
  readonly cipher?: PayloadCipher;
  readonly passphrase?: string;
  readonly peerIdleTimeoutUs: number;
  /** Upper bound of sending, bytes per second, retransmissions included. */
  readonly maxBandwidthBytesPerSecond: number;
}
