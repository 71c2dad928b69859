// Who may watch which stream in one format (FLV, TS, sound alone): checks a request, asks the host, then puts the viewer into
// the stream's broadcast. Both front doors (HTTP and WebSocket) use it.
import type { Duplex } from 'node:stream';
import { toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { EngineConfig } from '../engine-config.ts';
import { type RefusalLog, toRefusal } from '../engine-refusals.ts';
import type { StreamHub } from '../hub/stream-hub.ts';
import type { EnginePorts } from '../ports.ts';
import type { RefusalReason, SessionInfo } from '../session-info.ts';
import type { BroadcastFormat } from './broadcast-format.ts';
import { BroadcastViewer } from './broadcast-viewer.ts';
import { Broadcasts } from './broadcasts.ts';
import { type Failure, soundUnsupported } from './http-answer.ts';

export interface HttpViewersOptions {
  readonly hub: StreamHub;
  readonly ports: EnginePorts;
  readonly config: Pick<EngineConfig, 'mergeWindowMs' | 'gopCache' | 'viewerQueue' | 'maxConnections'>;
  readonly format: BroadcastFormat;
  readonly refusals: RefusalLog;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Milliseconds since 1970. */
  readonly wallClock: () => number;
}

type Obstacle = Failure & { readonly name: RefusalReason };

export class HttpViewers {
  private readonly options: HttpViewersOptions;
  private readonly broadcasts: Broadcasts;

  constructor(options: HttpViewersOptions) {
    this.options = options;
    this.broadcasts = new Broadcasts(options);
  }

  /** Why the session may not play; undefined when it may. Never rejects. */
  async check(session: SessionInfo): Promise<Failure | undefined> {
    const { hub, ports, config } = this.options;
    if (!ports.isValidStream(session)) {
      return this.refuse(session, { name: 'name-invalid', message: 'the stream name is not valid', status: 400 });
    }
    if (!hub.isPublished(session)) return notPublished(session);
    if (hub.connectionCount >= config.maxConnections) {
      const message = `the limit of ${config.maxConnections} connections is reached`;
      return this.refuse(session, { name: 'limit-reached', message, status: 503 });
    }
    const obstacle = this.obstacleTo(session);
    if (obstacle) return this.refuse(session, obstacle);
    const verdict = await ports.authorizePlay(session);
    if (!verdict.allowed) {
      return this.refuse(session, { name: verdict.reason, message: verdict.detail, status: 403 });
    }
    // The publisher may have gone while the host was asked.
    if (hub.isPublished(session)) return undefined;
    ports.onStop(session);
    return notPublished(session);
  }

  /** An admitted session that left before it played. */
  abandon(session: SessionInfo): void {
    this.options.ports.onStop(session);
  }

  /** Serves an admitted session on its socket until either side ends it. */
  play(session: SessionInfo, socket: Duplex, isFramed: boolean): void {
    const { hub, ports, clock } = this.options;
    const player = hub.addPlayer(session, {
      close: () => {
        leave();
        viewer.end();
      },
      stats: () => ({ droppedFrames: viewer.droppedFrames, queuedBytes: broadcast.queuedBytesOf(viewer) }),
    });
    const broadcast = this.broadcasts.of(player.stream);
    const viewer = new BroadcastViewer({ socket, isFramed, player, now: clock() });
    const leave = (): void => {
      broadcast.removeViewer(viewer);
      this.broadcasts.release(player.stream, broadcast);
      player.close();
    };
    socket.once('close', () => {
      leave();
      ports.onStop(session);
    });
    broadcast.addViewer(viewer);
  }

  /** What the stream carries and the format cannot. */
  private obstacleTo(session: SessionInfo): Obstacle | undefined {
    const { hub, format } = this.options;
    const stream = hub.find(session);
    if (!stream) return undefined;
    const failure = format.refusalOf?.(stream);
    if (failure) return { ...failure, name: 'codec-unsupported' };
    const codec = stream.unheardBy(format, format.acceptsVideo);
    return codec && { name: 'codec-unsupported', status: 415, message: soundUnsupported(codec) };
  }

  private refuse(session: SessionInfo, { name, message, status }: Obstacle): Failure {
    const { refusals, ports, wallClock } = this.options;
    const facts = { protocol: 'http', action: 'play', reason: name, detail: message, atMs: wallClock() } as const;
    refusals.record(toRefusal(session, facts));
    ports.log.warn({ stream: toStreamUrl(session), ip: session.ip, reason: name, detail: message }, 'play refused');
    return { status, name, message };
  }
}

function notPublished(session: SessionInfo): Failure {
  return { status: 404, name: 'stream-not-found', message: `${toStreamUrl(session)} is not being published` };
}
