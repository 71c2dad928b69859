// One viewer over RTMP once it is let in: its place in the hub's table of players and in the stream's broadcast.
import type { Socket } from 'node:net';
import type { PlayerHandle, StreamHub } from '../hub/stream-hub.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';
import type { SessionInfo } from '../session-info.ts';
import { BroadcastViewer } from './broadcast-viewer.ts';
import type { Broadcasts } from './broadcasts.ts';
import type { StreamBroadcast } from './stream-broadcast.ts';

export interface RtmpPlayerOptions {
  readonly hub: Pick<StreamHub, 'addPlayer'>;
  readonly broadcasts: Broadcasts;
  /** Media is written here; answers to commands may be written in between, whole messages both. */
  readonly socket: Socket;
  readonly now: number;
  /** The stream is over or the operator ended the player: tell the peer and close. */
  readonly onEnd: (reason: StreamEndReason) => void;
}

export class RtmpPlayer {
  private readonly broadcasts: Broadcasts;
  private readonly handle: PlayerHandle;
  private readonly broadcast: StreamBroadcast;
  private readonly viewer: BroadcastViewer;

  constructor(info: SessionInfo, { hub, broadcasts, socket, now, onEnd }: RtmpPlayerOptions) {
    this.broadcasts = broadcasts;
    this.handle = hub.addPlayer(info, {
      close: () => onEnd('kicked'),
      stats: () => ({
        droppedFrames: this.viewer.droppedFrames,
        queuedBytes: this.broadcast.queuedBytesOf(this.viewer),
      }),
    });
    this.viewer = new BroadcastViewer({ socket, isFramed: false, player: this.handle, now, onStreamEnd: onEnd });
    this.broadcast = broadcasts.of(this.handle.stream);
    this.broadcast.addViewer(this.viewer);
  }

  /** No more media is written. Idempotent. */
  close(): void {
    this.broadcast.removeViewer(this.viewer);
    this.broadcasts.release(this.handle.stream, this.broadcast);
    this.handle.close();
  }
}
