// Sends streams that are published here to gateways that copy them: all media from the last keyframe on. A copy does not count as a viewer,
// because the other gateway counts the viewers.
import type { Duplex } from 'node:stream';
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { BroadcastViewer } from '../../egress/broadcast/broadcast-viewer.ts';
import { type Broadcasts, createBroadcasts } from '../../egress/broadcast/broadcasts.ts';
import { copyFormat } from '../../egress/flv/flv-broadcast-format.ts';
import type { EngineConfig } from '../../engine-config.ts';
import type { Stream, StreamHub } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import { writeCopyEnd } from '../../ingest/copy-end.ts';
import { isCopy, type SessionInfo } from '../../session-info.ts';

export interface CopySenderOptions {
  readonly hub: StreamHub;
  readonly config: EngineConfig;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class CopySender {
  readonly #options: CopySenderOptions;
  readonly #broadcasts: Broadcasts;
  readonly #viewers = new Map<Stream, Set<BroadcastViewer>>();
  readonly #unobserve: () => void;

  constructor({ hub, config, clock }: CopySenderOptions) {
    this.#options = { hub, config, clock };
    // No merge window: the other gateway has one for its viewers.
    this.#broadcasts = createBroadcasts({
      ...{ hub, clock, format: copyFormat, lingers: false },
      config: { ...config, mergeWindowMs: 0 },
    });
    this.#unobserve = hub.onStreamEnd((stream, reason) => this.#endCopies(stream, reason));
  }

  /** Sends the stream until either side ends. Returns false, without calling `open`, if the stream is not published here. */
  send(key: StreamKey, open: () => Duplex | undefined): boolean {
    const stream = this.#options.hub.find(key);
    if (!stream?.publisher || isCopy(stream.publisher)) return false;
    const socket = open();
    if (!socket) return true;
    const broadcast = this.#broadcasts.of(stream);
    const player = { session: copySession(key), countSent: () => undefined };
    const viewer = new BroadcastViewer({ socket, isFramed: false, player, now: this.#options.clock() });
    this.#viewersOf(stream).add(viewer);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#viewersOf(stream).delete(viewer);
      if (this.#viewersOf(stream).size === 0) this.#viewers.delete(stream);
      broadcast.removeViewer(viewer);
      this.#broadcasts.release(stream, broadcast);
    });
    broadcast.addViewer(viewer);
    return true;
  }

  isSending(key: StreamKey): boolean {
    const stream = this.#options.hub.find(key);
    return stream !== undefined && this.#viewers.has(stream);
  }

  /** Idempotent. */
  close(): void {
    this.#unobserve();
    for (const viewers of this.#viewers.values()) for (const { socket } of viewers) socket.destroy();
  }

  /** Ends the copies two turns of the event loop later, so that muxed data is written first. */
  #endCopies(stream: Stream, reason: StreamEndReason): void {
    const viewers = [...(this.#viewers.get(stream) ?? [])];
    if (viewers.length === 0) return;
    setImmediate(() =>
      setImmediate(() => {
        for (const viewer of viewers) {
          if (!viewer.socket.destroyed) viewer.socket.write(writeCopyEnd(reason));
          viewer.end();
        }
      }),
    );
  }

  #viewersOf(stream: Stream): Set<BroadcastViewer> {
    const known = this.#viewers.get(stream);
    if (known) return known;
    const viewers = new Set<BroadcastViewer>();
    this.#viewers.set(stream, viewers);
    return viewers;
  }
}

function copySession(key: StreamKey): SessionInfo {
  const { vhost, app, stream } = key;
  return { vhost, app, stream, clientId: '', type: 'copy-publish', ip: '', param: '', tcUrl: '', pageUrl: '' };
}
