// What the demuxer feeds with the PES packets of one elementary stream, and what comes out of it.
import type { Packet } from '../../packet.ts';
import type { Track } from '../../track.ts';
import type { UnsupportedStream } from './unsupported-stream.ts';

export interface TsDemuxerEvents {
  /** A stream's configuration became known or changed; before its first packet. */
  onTrack(track: Track): void;
  /**
   * One access unit. Times are the publisher's 90 kHz clock in milliseconds, unwrapped, from wherever it started. The
   * payload is the packet's own.
   */
  onPacket(packet: Packet): void;
  /**
   * The program's picture or sound that nobody here understands, whenever the map changes; a kind of which another stream is
   * taken is not named.
   */
  onUnsupported?(streams: readonly UnsupportedStream[]): void;
}

export interface EsReceiver {
  /** `ptsMs` and `dtsMs` are undefined when the PES packet carries no time. `data` is valid during the call. */
  receive(pes: { ptsMs: number | undefined; dtsMs: number | undefined; data: Buffer }): void;
  /** Transport packets were lost: kept partial frames are useless. */
  reset(): void;
}
