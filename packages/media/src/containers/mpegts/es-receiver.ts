// Interface between the demuxer, which delivers PES packets, and the receiver of one elementary stream.
import type { Packet } from '../../packet.ts';
import type { Track } from '../../track.ts';
import type { LeftOutStreams } from './unsupported-stream.ts';

export interface TsDemuxerEvents {
  /** The program tables list a video stream of a known codec; its configuration arrives later. */
  onVideoAnnounced?(): void;
  /** A stream's configuration became known or changed; before its first packet. */
  onTrack(track: Track): void;
  /**
   * One access unit. Times are the publisher's 90 kHz clock in milliseconds, unwrapped, from wherever it started. The
   * payload is the packet's own.
   */
  onPacket(packet: Packet): void;
  /** Video and audio of the program that do not come out, whenever that changes. */
  onLeftOut?(streams: LeftOutStreams): void;
}

export interface EsReceiver {
  /** `ptsMs` and `dtsMs` are undefined when the PES packet carries no time. `data` is valid during the call. */
  receive(pes: { ptsMs: number | undefined; dtsMs: number | undefined; data: Buffer }): void;
  /** Transport packets were lost: kept partial frames are useless. */
  reset(): void;
}
