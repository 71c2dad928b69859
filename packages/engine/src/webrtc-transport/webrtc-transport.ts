// Interface of a WebRTC transport: ICE, DTLS and SRTP for each peer, with raw RTP and RTCP above. Narrow, so that the implementation can be
// replaced.

import type { SdpAnswerMedia } from '@srs-stack/media/protocols/sdp/sdp-answer.ts';

/** `closed` is final: the session has ended, failed or never connected. */
type RtcPeerState = 'connecting' | 'connected' | 'closed';

/** One media section of the SDP answer. */
export type RtcMediaPlan = SdpAnswerMedia;

export interface RtcTrack {
  readonly plan: RtcMediaPlan;
  /** Encrypts and sends one RTP or RTCP packet. Returns false when the packet could not be sent. Never throws. */
  send(datagram: Buffer): boolean;
  /**
   * Sends several packets in order and returns how many were sent, counted from the first. The array is only read. The caller may reuse the
   * memory afterwards.
   */
  sendAll(datagrams: readonly Buffer[]): number;
}

export interface RtcPeerEvents {
  /** Called with one decrypted RTP or (compound) RTCP packet. The handler may keep the buffer. */
  onDatagram(track: RtcTrack, datagram: Buffer): void;
  onStateChange(state: RtcPeerState): void;
  onOpen(): void;
}

export interface RtcPeer {
  /** The SDP answer with all local candidates. */
  readonly answer: string;
  readonly tracks: readonly RtcTrack[];
  /** Notifies the peer and ends the session. Idempotent. */
  close(): void;
}

/** Creates and plays the media of a warm-up session. */
export interface RtcWarmUp {
  plan(offer: string): readonly RtcMediaPlan[];
  /** Called when the client is connected. The client disconnects afterwards. */
  play(peer: RtcPeer): void;
}

export interface RtcTransport {
  /** The UDP port that all peers share; 0 when each peer has a separate port. */
  readonly port: number;
  readonly tcpPort?: number | undefined;
  /**
   * Accepts an offer. Rejects with `ProtocolError` when the offer is unusable. `callerIp` is the sender of the offer. No packet is sent to
   * any other address before a packet from that address.
   */
  createPeer(offer: string, plans: readonly RtcMediaPlan[], events: RtcPeerEvents, callerIp?: string): Promise<RtcPeer>;
  /** Runs a warm-up session, if supported. Rejects when the warm-up fails; viewers are not affected. */
  warmUp?(media: RtcWarmUp): Promise<void>;
  /** Releases the port. Close all peers first. */
  close(): void;
}
