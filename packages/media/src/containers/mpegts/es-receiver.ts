// Demuxer events, and the interface of a receiver for the PES packets of one elementary stream.
import type { Packet } from '../../packet.ts';
import type { Track } from '../../track.ts';
import type { LeftOutStreams } from './unsupported-stream.ts';

export interface TsDemuxerEvents {
  /** Called when the program tables list a supported video stream. The configuration arrives later. */
  onVideoAnnounced?(): void;
  /** Called before the first packet of a stream, and when the codec configuration changes. */
  onTrack(track: Track): void;
  /**
   * Called for each access unit. Times are milliseconds of the publisher's clock, unwrapped, with an arbitrary start. The payload is a
   * copy.
   */
  onPacket(packet: Packet): void;
  /** Called when the list of dropped video and audio streams changes. */
  onLeftOut?(streams: LeftOutStreams): void;
}

export interface EsReceiver {
  /** `ptsMs` and `dtsMs` are undefined when the PES packet has no timestamp. `data` is valid during the call. */
  receive(pes: { ptsMs: number | undefined; dtsMs: number | undefined; data: Buffer }): void;
  /** Drops stored partial frames after packet loss. */
  reset(): void;
}
