// Interface of a WebRTC transport: ICE, DTLS and SRTP for one peer, raw RTP and RTCP on top. Narrow, so that the implementation can be
// replaced.

import type { SdpAnswerMedia } from '@srs-stack/media/protocols/sdp/sdp-answer.ts';

/** `closed` is final: the peer closed the connection, or never connected. */
type RtcPeerState = 'connecting' | 'connected' | 'closed';

/** One media section of the SDP answer: the offer's mid and the chosen payload type. */
export type RtcMediaPlan = SdpAnswerMedia;

export interface RtcTrack {
  readonly plan: RtcMediaPlan;
  /** Encrypts and sends one RTP or RTCP packet; false when the peer cannot take it. Never throws. */
  send(datagram: Buffer): boolean;
  /**
   * Like `send` for several packets, in order; returns how many were sent, counted from the first. The array may be shared: it is only
   * read. Nothing is kept: the caller may reuse the memory afterwards.
   */
  sendAll(datagrams: readonly Buffer[]): number;
}

export interface RtcPeerEvents {
  /** One decrypted RTP or (compound) RTCP packet. The buffer belongs to the receiver. */
  onDatagram(track: RtcTrack, datagram: Buffer): void;
  onStateChange(state: RtcPeerState): void;
  /** All tracks can send now. */
  onOpen(): void;
}

export interface RtcPeer {
  /** The SDP answer with all local candidates. */
  readonly answer: string;
  readonly tracks: readonly RtcTrack[];
  /** Ends the session and sends a close. Idempotent. */
  close(): void;
}

/** Media for a warm-up session. */
export interface RtcWarmUp {
  plan(offer: string): readonly RtcMediaPlan[];
  /** The client is connected; it disconnects when this returns. */
  play(peer: RtcPeer): void;
}

export interface RtcTransport {
  /** The UDP port shared by all peers; 0 when each peer has its own. */
  readonly port: number;
  /** TCP port for peers that cannot send UDP; undefined: none. */
  readonly tcpPort?: number | undefined;
  /**
   * Accepts an offer; rejects with ProtocolError when it is unusable. `callerIp`: the sender of the offer. Nothing is sent to another
   * address before a packet from there.
   */
  createPeer(offer: string, plans: readonly RtcMediaPlan[], events: RtcPeerEvents, callerIp?: string): Promise<RtcPeer>;
  /** Runs a warm-up session where supported. Rejects when that fails, which has no other effect. */
  warmUp?(media: RtcWarmUp): Promise<void>;
  /** Releases the port; peers must have been closed before. */
  close(): void;
}
