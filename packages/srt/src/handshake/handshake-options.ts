// Options of one side of a handshake.
import type { KeyLength } from '../crypto/key-material.ts';
import { defaultPeerIdleTimeoutUs } from '../limits.ts';
import { srtFlag } from '../packet/handshake-packet.ts';

/** Announced version. It stands for the live streaming features of libsrt 1.5.0. */
export const srtVersion = 0x010500;
export const mtuBytes = 1500;

export const ownFlags =
  srtFlag.tsbpdSender |
  srtFlag.tsbpdReceiver |
  srtFlag.crypt |
  srtFlag.tooLateDrop |
  srtFlag.periodicNak |
  srtFlag.retransmitFlag;

/** A listener that shares its port with others. */
export interface PortMember {
  readonly index: number;
  readonly count: number;
  /**
   * Secret for cookies, equal for all listeners of the port. The kernel may deliver induction and conclusion of a caller to different
   * listeners, and each must accept the cookie.
   */
  readonly cookieSecret: Buffer;
  /** Offset of this listener's clock, microseconds, so that all listeners of the port have the same time. */
  readonly clockOffsetUs: number;
}

export interface SrtOptions {
  /** Minimum delay of received packets, milliseconds. The larger value of both sides applies. */
  readonly receiverLatencyMs: number;
  /** Minimum receive latency that this side requests from the peer, milliseconds. */
  readonly senderLatencyMs: number;
  /** 10 to 79 characters. Undefined: only unencrypted connections. */
  readonly passphrase?: string;
  /** Key length that a caller requests. A listener uses the key length of its caller. */
  readonly keyLength?: KeyLength;
  readonly peerIdleTimeoutUs?: number;
  /**
   * Identifies a listener that shares its port. Its socket ids have the remainder `index` when divided by `count`. If the kernel delivers a
   * datagram to the wrong listener, that listener finds the right one by the socket id.
   */
  readonly member?: PortMember;
  /** Maximum send rate, bytes per second. Default: 125 MB/s, as in SRS. */
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
