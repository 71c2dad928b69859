// A violation by the peer: malformed bytes, an exceeded limit, or silence. Ends at most the session of this peer.

/** Wire protocol or container whose rules the peer violated. */
export type ProtocolName =
  | 'rtmp'
  | 'amf'
  | 'flv'
  | 'srt'
  | 'mpegts'
  | 'rtp'
  | 'sdp'
  | 'rtsp'
  | 'stun'
  | 'http'
  | 'websocket'
  | 'hls'
  | 'codec';

/** `reason` is a stable English phrase for the log; `offset` is in bytes from the start of the unit being parsed. */
export class ProtocolError extends Error {
  readonly protocol: ProtocolName;
  readonly reason: string;
  readonly offset: number | undefined;

  constructor(protocol: ProtocolName, reason: string, offset?: number) {
    super(offset === undefined ? `${protocol}: ${reason}` : `${protocol}: ${reason} (at byte ${offset})`);
    this.name = 'ProtocolError';
    this.protocol = protocol;
    this.reason = reason;
    this.offset = offset;
  }
}
