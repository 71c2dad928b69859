// Context of all RTSP sessions, and the interface of the roles (player, publisher) that handle requests.
import type { RtspRequest, RtspResponse } from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import type { SendDatagrams } from '@srs-stack/rtc';
import type { Broadcasts } from '../../egress/broadcast/broadcasts.ts';
import type { StreamHub } from '../../hub/stream-hub.ts';
import type { EnginePorts } from '../../ports.ts';
import type { PlayGate } from '../gate/play-gate.ts';
import type { Refusals } from '../gate/refusals.ts';

/** The UDP ports for RTP and RTCP that all sessions share. */
export interface RtspDatagrams {
  readonly rtpPort: number;
  readonly rtcpPort: number;
  /** Returns the send function for one port of a peer. */
  sendTo(kind: 'rtp' | 'rtcp', address: string, port: number): SendDatagrams;
  /**
   * Passes datagrams of `peer` to `onDatagram` until the returned function is called. Undefined when another session uses the peer's ports.
   */
  claim(peer: DatagramPeer): (() => void) | undefined;
}

export interface DatagramPeer {
  readonly address: string;
  readonly rtpPort: number;
  readonly rtcpPort: number;
  onDatagram(kind: 'rtp' | 'rtcp', datagram: Buffer): void;
}

export interface RtspContext {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly gate: PlayGate;
  readonly refusals: Refusals;
  /** Broadcasts for each selection of tracks in the SETUP requests of a player: both, only video, or only audio. */
  readonly broadcasts: { readonly both: Broadcasts; readonly video: Broadcasts; readonly audio: Broadcasts };
  readonly datagrams: RtspDatagrams | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/**
 * Session timeout in SETUP responses, seconds. Ends sessions that neither play nor publish, and (after a grace period) UDP players that
 * send nothing on the RTSP connection.
 */
export const sessionTimeoutSeconds = 60;

export interface RtspRole {
  /** Handles a request. Returns undefined when the role does not handle the method. */
  handle(request: RtspRequest): Promise<RtspResponse> | RtspResponse | undefined;
  /** True while the role plays or publishes. */
  readonly isActive: boolean;
  onFrame(channel: number, data: Buffer): void;
  afterResponse(): void;
  tick(now: number): void;
  /** Releases everything at the end of the connection. Idempotent. */
  end(): void;
}
