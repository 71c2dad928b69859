// Interface between the demuxer, which delivers PES packets, and the receiver of one elementary stream.
import type { Packet } from '../../packet.ts';
import type { Track } from '../../track.ts';
import type { LeftOutStreams } from './unsupported-stream.ts';

export interface TsDemuxerEvents {
  /** The program tables list a video stream of a known codec; its configuration arrives later. */
  onVideoAnnounced?(): void;
  /** Called before the first packet of a stream, and when its configuration changes. */
  onTrack(track: Track): void;
  /** One access unit. Times are the publisher's 90 kHz clock in milliseconds, unwrapped, with an arbitrary start. The payload is a copy. */
  onPacket(packet: Packet): void;
  /** Called when the dropped video or audio streams of the program change. */
  onLeftOut?(streams: LeftOutStreams): void;
}

export interface EsReceiver {
  /** `ptsMs` and `dtsMs` are undefined when the PES packet has no timestamp. `data` is valid during the call. */
  receive(pes: { ptsMs: number | undefined; dtsMs: number | undefined; data: Buffer }): void;
  /** Transport packets were lost: drops stored partial frames. */
  reset(): void;
}
