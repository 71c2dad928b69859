// Shared by all RTSP sessions; also the interface with which their roles (player, publisher) handle requests.
import type { RtspRequest, RtspResponse } from '@srs-stack/media/protocols/rtsp/rtsp-message.ts';
import type { SendDatagrams } from '@srs-stack/rtc';
import type { Broadcasts } from '../../egress/broadcast/broadcasts.ts';
import type { StreamHub } from '../../hub/stream-hub.ts';
import type { EnginePorts } from '../../ports.ts';
import type { PlayGate } from '../gate/play-gate.ts';
import type { Refusals } from '../gate/refusals.ts';

/** The pair of UDP ports that all sessions share. */
export interface RtspDatagrams {
  readonly rtpPort: number;
  readonly rtcpPort: number;
  /** The send function for one port of a peer. */
  sendTo(kind: 'rtp' | 'rtcp', address: string, port: number): SendDatagrams;
  /**
   * Passes datagrams from these ports to `onDatagram` until the returned function is called; undefined when another session has the ports.
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
  /** Broadcasts by the tracks that a player has set up. */
  readonly broadcasts: { readonly both: Broadcasts; readonly video: Broadcasts; readonly audio: Broadcasts };
  /** Undefined: only TCP. */
  readonly datagrams: RtspDatagrams | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Seconds without any message after which a session ends; SETUP responses announce it. */
export const sessionTimeoutSeconds = 60;

export interface RtspRole {
  /** Handles a request of this role; undefined when the method is not allowed in this state. */
  handle(request: RtspRequest): Promise<RtspResponse> | RtspResponse | undefined;
  /** The role plays or publishes now, so that its connection is in use. */
  readonly isActive: boolean;
  /** An interleaved frame of the peer. */
  onFrame(channel: number, data: Buffer): void;
  /** Called after the response to PLAY was written. */
  afterResponse(): void;
  tick(now: number): void;
  /** The connection is over. Idempotent. */
  end(): void;
}
