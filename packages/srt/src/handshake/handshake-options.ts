// What a side brings into a handshake.
import type { KeyLength } from '../crypto/key-material.ts';
import { defaultPeerIdleTimeoutUs } from '../limits.ts';
import { srtFlag } from '../packet/handshake-packet.ts';

/** Version we speak: the features of libsrt 1.5.0 that live streaming uses. */
export const srtVersion = 0x010500;
export const mtuBytes = 1500;

export const ownFlags =
  srtFlag.tsbpdSender |
  srtFlag.tsbpdReceiver |
  srtFlag.crypt |
  srtFlag.tooLateDrop |
  srtFlag.periodicNak |
  srtFlag.retransmitFlag;

/** One of several listeners on one port. */
export interface PortMember {
  readonly index: number;
  readonly count: number;
  /** The same for all of them: a conclusion may come to another than the induction did, which must know its cookie. */
  readonly cookieSecret: Buffer;
  /** Clock offset of this listener, so that all listeners have the same time, microseconds. */
  readonly clockOffsetUs: number;
}

export interface SrtOptions {
  /** Shortest delay of what this side receives, milliseconds; the larger of both sides' wishes counts. */
  readonly receiverLatencyMs: number;
  /** Minimum receive latency that this side requests from the peer, milliseconds. */
  readonly senderLatencyMs: number;
  /** 10 to 79 characters; undefined: unencrypted only. */
  readonly passphrase?: string;
  /** Key length that a caller requests; a listener follows the caller. */
  readonly keyLength?: KeyLength;
  readonly peerIdleTimeoutUs?: number;
  /**
   * Which of several listeners on one port this is: its socket ids leave the remainder `index` when divided by `count`, so that each
   * of them knows whose a datagram is that the kernel gave to the wrong one.
   */
  readonly member?: PortMember;
  /** Sending bound, bytes per second (SRS: 125 MB/s). */
  readonly maxBandwidthBytesPerSecond?: number;
}

export function connectionLimits(options: SrtOptions): {
  peerIdleTimeoutUs: number;
  maxBandwidthBytesPerSecond: number;
} {
  return {
    peerIdleTimeoutUs: options.peerIdleTimeoutUs ?? defaultPeerIdleTimeoutUs,
    maxBandwidthBytesPerSecond: options.maxBandwidthBytesPerSecond ?? 125_000_000,
  };
}
