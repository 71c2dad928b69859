// The viewers of one format (FLV, TS, audio only) over HTTP and WebSocket. The gate admits a viewer; then the viewer joins the broadcast of
// the stream.
import type { Duplex } from 'node:stream';
import { obstacleToFormat } from '../../egress/broadcast/broadcast-format.ts';
import { BroadcastViewer } from '../../egress/broadcast/broadcast-viewer.ts';
import { type Broadcasts, type BroadcastsOptions, createBroadcasts } from '../../egress/broadcast/broadcasts.ts';
import type { SessionInfo } from '../../session-info.ts';
import type { AdmittedPlay } from '../gate/admitted-play.ts';
import type { PlayAdmission, PlayGate, PlayTerms } from '../gate/play-gate.ts';

export interface HttpViewersOptions extends BroadcastsOptions {
  readonly gate: PlayGate;
}

export class HttpViewers {
  readonly #options: HttpViewersOptions;
  readonly #broadcasts: Broadcasts;
  readonly #terms: PlayTerms;

  constructor(options: HttpViewersOptions) {
    this.#options = options;
    this.#broadcasts = createBroadcasts(options);
    this.#terms = {
      waitsForPublisher: false,
      obstacleTo: (stream) => obstacleToFormat(options.format, stream),
    };
  }

  /** Never rejects. */
  admit(session: SessionInfo, isProbe = false): Promise<PlayAdmission> {
    return this.#options.gate.admit(session, isProbe ? { ...this.#terms, isProbe } : this.#terms);
  }

  /** Sends the stream to an admitted viewer until either side ends. */
  play(play: AdmittedPlay, socket: Duplex, isFramed: boolean): void {
    const player = play.start({
      close: () => {
        leave();
        viewer.end();
      },
      stats: () => ({ droppedFrames: viewer.droppedFrames, queuedBytes: broadcast.queuedBytesOf(viewer) }),
    });
    const broadcast = this.#broadcasts.of(player.stream);
    const viewer = new BroadcastViewer({ socket, isFramed, player, now: this.#options.clock() });
    const leave = (): void => {
      broadcast.removeViewer(viewer);
      this.#broadcasts.release(player.stream, broadcast);
      player.close();
    };
    socket.once('close', () => {
      leave();
      play.end();
    });
    broadcast.addViewer(viewer);
  }
}
