// What the engine asks of a WebRTC library: ICE, DTLS and SRTP for one peer, raw RTP and RTCP on top. One narrow interface,
// so that another library can take the place of the one behind it.

import type { SdpAnswerMedia } from '@srs-stack/media/protocols/sdp/sdp-answer.ts';

/** `closed` is final: the peer said goodbye, or never came to be connected. */
type RtcPeerState = 'connecting' | 'connected' | 'closed';

/** One media section of the answer: the offer's mid and the payload type we chose. */
export type RtcMediaPlan = SdpAnswerMedia;

export interface RtcTrack {
  readonly plan: RtcMediaPlan;
  /** Encrypts and sends one RTP or RTCP packet; false when the peer cannot take it. Never throws. */
  send(datagram: Buffer): boolean;
  /**
   * The same of several, in order; the number of those that were sent, from the first on. The array may be shared: it is only
   * read. Nothing of it is kept: the caller may write other bytes into the same memory afterwards.
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
  /** The answer with all local candidates. */
  readonly answer: string;
  readonly tracks: readonly RtcTrack[];
  /** Ends the session and tells the peer. Idempotent. */
  close(): void;
}

/** What is played to a guest before anybody comes. */
export interface RtcRehearsal {
  plan(offer: string): readonly RtcMediaPlan[];
  /** The guest is connected; it leaves when this returns. */
  play(peer: RtcPeer): void;
}

export interface RtcTransport {
  /** The UDP port all peers share; 0 when each peer has one of its own. */
  readonly port: number;
  /** Where peers connect who cannot send UDP; undefined: nowhere. */
  readonly tcpPort?: number | undefined;
  /**
   * Answers an offer; rejects with ProtocolError when the offer cannot be used. `callerIp`: who makes the offer. Nothing is sent to another
   * address before somebody there has sent.
   */
  createPeer(offer: string, plans: readonly RtcMediaPlan[], events: RtcPeerEvents, callerIp?: string): Promise<RtcPeer>;
  /** Plays to a guest of its own, where it can have one. Rejects when that fails, which harms nobody. */
  rehearse?(rehearsal: RtcRehearsal): Promise<void>;
  /** Releases the port; peers must have been closed before. */
  close(): void;
}
