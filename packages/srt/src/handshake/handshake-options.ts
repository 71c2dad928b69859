// Options of one side of a handshake.
import type { KeyLength } from '../crypto/key-material.ts';
import { defaultPeerIdleTimeoutUs } from '../limits.ts';
import { srtFlag } from '../packet/handshake-packet.ts';

/** Version that this side announces: the features of libsrt 1.5.0 for live streaming. */
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
  /**
   * Secret of the cookies, the same for all listeners of the port: the kernel may deliver a conclusion to another listener than its
   * induction, and that listener must accept the cookie.
   */
  readonly cookieSecret: Buffer;
  /** Clock offset of this listener, so that all listeners have the same time, microseconds. */
  readonly clockOffsetUs: number;
}

export interface SrtOptions {
  /** Minimum delay of received packets, milliseconds; the larger value of both sides applies. */
  readonly receiverLatencyMs: number;
  /** Minimum receive latency that this side requests from the peer, milliseconds. */
  readonly senderLatencyMs: number;
  /** 10 to 79 characters; undefined: unencrypted only. */
  readonly passphrase?: string;
  /** Key length that a caller requests; a listener follows the caller. */
  readonly keyLength?: KeyLength;
  readonly peerIdleTimeoutUs?: number;
  /**
   * Identifies this listener among those that share the port. Its socket ids have the remainder `index` when divided by `count`, so that
   * each listener can find the owner of a datagram that the kernel delivered to the wrong one.
   */
  readonly member?: PortMember;
  /** Maximum send rate, bytes per second (SRS: 125 MB/s). */
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
