// One admitted RTMP viewer, registered as a player and as a viewer of the stream's broadcast.
import type { Socket } from 'node:net';
import { BroadcastViewer } from '../../egress/broadcast/broadcast-viewer.ts';
import type { Broadcasts } from '../../egress/broadcast/broadcasts.ts';
import type { StreamBroadcast } from '../../egress/broadcast/stream-broadcast.ts';
import type { PlayerHandle } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { AdmittedPlay } from '../gate/admitted-play.ts';

export interface RtmpPlayerOptions {
  readonly broadcasts: Broadcasts;
  /** Socket of the player. Media is written here as complete messages, so command responses may be written in between. */
  readonly socket: Socket;
  readonly now: number;
  /** Called when the stream has ended or the operator disconnected the player. Send the status and close. */
  readonly onEnd: (reason: StreamEndReason) => void;
}

export class RtmpPlayer {
  readonly #broadcasts: Broadcasts;
  readonly #play: AdmittedPlay;
  readonly #handle: PlayerHandle;
  readonly #broadcast: StreamBroadcast;
  readonly #viewer: BroadcastViewer;

  constructor(play: AdmittedPlay, { broadcasts, socket, now, onEnd }: RtmpPlayerOptions) {
    this.#broadcasts = broadcasts;
    this.#play = play;
    this.#handle = play.start({
      close: () => onEnd('kicked'),
      stats: () => ({
        droppedFrames: this.#viewer.droppedFrames,
        queuedBytes: this.#broadcast.queuedBytesOf(this.#viewer),
      }),
    });
    this.#viewer = new BroadcastViewer({ socket, isFramed: false, player: this.#handle, now, onStreamEnd: onEnd });
    this.#broadcast = broadcasts.of(this.#handle.stream);
    this.#broadcast.addViewer(this.#viewer);
  }

  /** Stops writing media and reports the end of the viewer. Idempotent. */
  end(reason: StreamEndReason): void {
    this.#broadcast.removeViewer(this.#viewer);
    this.#broadcasts.release(this.#handle.stream, this.#broadcast);
    this.#play.end({ reason });
  }
}
