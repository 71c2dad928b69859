// All viewers of one stream in one format. Every packet is muxed once into a chunk for all sockets. The chunks of a merge window are
// written together.

import type { Packet } from '@srs-stack/media/packet.ts';
import type { AudioCodec } from '@srs-stack/media/track.ts';
import type { EngineConfig } from '../../engine-config.ts';
import type { Stream } from '../../hub/stream-hub.ts';
import type { StreamEndReason } from '../../hub/stream-reader.ts';
import type { StreamView } from '../../hub/stream-view.ts';
import { isCopy } from '../../session-info.ts';
import type { SharedOutput } from '../shared-outputs.ts';
import type { BroadcastFormat, BroadcastMuxer } from './broadcast-format.ts';
import type { BroadcastViewer } from './broadcast-viewer.ts';
import { ChunkQueue } from './chunk-queue.ts';
import { MergeWindow, type WriteLoad } from './merge-window.ts';

export type BroadcastConfig = Pick<EngineConfig, 'mergeWindowMs' | 'gopCache' | 'viewerQueue'>;

export interface StreamBroadcastOptions {
  readonly stream: Stream;
  readonly format: BroadcastFormat;
  readonly config: BroadcastConfig;
  readonly load: WriteLoad;
  readonly lingers: boolean;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** A chunk is complete at this payload size, bytes. A chunk is written as a whole and cannot be dropped afterwards, so it is small. */
const maxPendingBytes = 128 * 1024;
/** Time without packets after which writing to lagging viewers is tried again, milliseconds. */
const laggardRetryMs = 50;
/** The muxed GOP is kept for this time after the last viewer leaves, milliseconds. A new viewer then starts immediately. */
const lingerMs = 5_000;

export class StreamBroadcast implements SharedOutput {
  readonly name: string;
  readonly acceptsAudio: readonly AudioCodec[];
  isOver = false;
  readonly #stream: Stream;
  readonly #view: StreamView;
  readonly #acceptsVideo: boolean;
  readonly #config: BroadcastConfig;
  readonly #load: WriteLoad;
  readonly #lingers: boolean;
  readonly #clock: () => number;
  readonly #queue: ChunkQueue;
  readonly #window: MergeWindow;
  readonly #muxer: BroadcastMuxer;
  readonly #viewers: BroadcastViewer[] = [];
  readonly #waiting = new Set<BroadcastViewer>();
  #firstFrameMs = Number.NEGATIVE_INFINITY;
  #pendingFrames = 0;
  #pendingDtsMs = 0;
  #pendingIsStart = false;
  #immediate: NodeJS.Immediate | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Separate from the merge timer, so that lagging viewers delay no other viewer. */
  #retryTimer: NodeJS.Timeout | undefined;
  /** First viewer to serve in the next window; rotates, so that no viewer is always last. */
  #turn = 0;

  constructor({ stream, format, config, load, lingers, clock }: StreamBroadcastOptions) {
    this.name = format.name;
    this.acceptsAudio = format.acceptsAudio;
    this.#acceptsVideo = format.acceptsVideo;
    this.#stream = stream;
    this.#view = stream.viewFor(format);
    this.#config = config;
    this.#load = load;
    this.#lingers = lingers;
    this.#clock = clock;
    this.#queue = new ChunkQueue(config.gopCache);
    this.#window = new MergeWindow(config.mergeWindowMs);
    this.#muxer = format.createMuxer(this.#view);
  }

  get viewerCount(): number {
    return this.#viewers.length;
  }

  /** 0 for streams of another gateway and for converted audio, because a gateway or converter must not work without viewers. */
  get lingerMs(): number {
    const { publisher, audio } = this.#stream;
    const isOwn = publisher !== undefined && !isCopy(publisher);
    return this.#lingers && isOwn && this.#view.audio === audio ? lingerMs : 0;
  }

  /** The viewer starts at the last keyframe, or live if that keyframe is too old. */
  addViewer(viewer: BroadcastViewer): void {
    this.#viewers.push(viewer);
    this.#load.viewers++;
    this.#waiting.add(viewer);
    // The first viewer does not wait for the merge window: pending packets are sealed immediately.
    if (this.#queue.end === 0 || this.#viewers.length === 1) this.#seal();
    this.#startWaiting();
  }

  removeViewer(viewer: BroadcastViewer): void {
    this.#waiting.delete(viewer);
    const index = this.#viewers.indexOf(viewer);
    if (index < 0) return;
    this.#viewers.splice(index, 1);
    this.#load.viewers--;
  }

  queuedBytesOf(viewer: BroadcastViewer): number {
    return viewer.unsentBytes + (this.#waiting.has(viewer) ? 0 : this.#queue.bytesFrom(viewer.position));
  }

  delayMsOf(viewer: BroadcastViewer): number {
    return this.#waiting.has(viewer) ? 0 : viewer.delayMs(this.#queue);
  }

  onPacket(packet: Packet): void {
    const isVideo = packet.track.kind === 'video';
    if (isVideo && !this.#acceptsVideo) return;
    if (this.#isBeforeFirstFrame(packet)) return;
    const isStart = isVideo && packet.keyframe;
    if (isStart && !this.#hasWatchers) this.#firstFrameMs = packet.dtsMs;
    if (isStart) this.#muxer.flush?.();
    if (isStart || this.#muxer.pendingBytes >= maxPendingBytes) this.#seal();
    if (this.#muxer.pendingBytes === 0) {
      this.#pendingDtsMs = packet.dtsMs;
      this.#pendingIsStart = isStart || !this.#hasVideo;
    }
    this.#muxer.write(packet, this.#hasWatchers);
    if (isVideo) this.#pendingFrames++;
    this.#schedule(isVideo || !this.#hasVideo);
  }

  onMetadata(): void {
    const { metadata } = this.#view;
    if (metadata) this.#muxer.writeMetadata?.(metadata);
  }

  onPublisherChange(): void {
    this.#muxer.flush?.();
    this.#seal();
    this.#queue.forgetStart();
    this.#firstFrameMs = Number.NEGATIVE_INFINITY;
    this.#muxer.onPublisherChange?.();
  }

  onEnd(reason: StreamEndReason): void {
    this.#flush();
    this.close();
    this.isOver = true;
    for (const viewer of [...this.#viewers]) viewer.onStreamEnd(reason);
  }

  close(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#retryTimer);
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
    this.#timer = undefined;
    this.#retryTimer = undefined;
  }

  get #hasWatchers(): boolean {
    return this.#viewers.length > this.#waiting.size;
  }

  /**
   * Whether the packet is converted audio from before the first frame that viewers get. A converter that starts late outputs such audio
   * first.
   */
  #isBeforeFirstFrame({ track, dtsMs }: Packet): boolean {
    return track.kind === 'audio' && dtsMs < this.#firstFrameMs && track.codec !== this.#stream.audio?.codec;
  }

  get #hasVideo(): boolean {
    return this.#acceptsVideo && this.#view.present.video !== undefined;
  }

  #seal(): void {
    if (this.#muxer.pendingBytes === 0) return;
    const facts = { isStart: this.#pendingIsStart, dtsMs: this.#pendingDtsMs, frames: this.#pendingFrames };
    this.#queue.append(this.#muxer.take(facts), this.#hasVideo);
    this.#pendingFrames = 0;
    if (this.#viewers.length === 0) this.#queue.trim(this.#queue.end);
    this.#startWaiting();
  }

  #schedule(isLeading: boolean): void {
    if (this.#immediate !== undefined || this.#viewers.length === 0) return;
    const delayMs = this.#window.delayOf(isLeading, this.#load.viewers, this.#clock());
    // setImmediate, so that packets of one socket read are written together.
    if (delayMs === 0) this.#immediate = setImmediate(this.#flush);
    else this.#timer ??= setTimeout(this.#flush, delayMs);
  }

  readonly #flush = (): void => {
    this.close();
    try {
      this.#seal();
      const now = this.#clock();
      this.#window.spend(now);
      const slowest = this.#pumpViewers(now);
      this.#queue.trim(slowest);
      if (slowest < this.#queue.end) this.#retryTimer = setTimeout(this.#flush, laggardRetryMs);
    } catch (error) {
      this.#fail(error);
    }
  };

  /**
   * A bug in this output disconnects only the viewers of this output. The stream and its other outputs continue; new viewers get a new
   * output.
   */
  #fail(error: unknown): void {
    this.#stream.onFault(
      error,
      { reader: this.name, ...this.#stream.key },
      'output failed, its viewers were disconnected',
    );
    this.close();
    this.isOver = true;
    for (const viewer of [...this.#viewers]) viewer.socket.destroy();
  }

  /** Writes to every viewer; returns the lowest chunk number that a viewer still needs. */
  #pumpViewers(now: number): number {
    const viewers = this.#viewers;
    const queue = this.#queue;
    const waiting = this.#waiting;
    const count = viewers.length;
    let slowest = queue.end;
    this.#turn = count === 0 ? 0 : (this.#turn + 1) % count;
    for (let i = 0; i < count; i++) {
      const viewer = viewers[(i + this.#turn) % count]!;
      if (waiting.has(viewer) || this.#pump(viewer, now)) continue;
      if (viewer.position < slowest) slowest = viewer.position;
    }
    return slowest;
  }

  /** Returns true when the viewer is up to date. An error ends only this viewer. */
  #pump(viewer: BroadcastViewer, now: number): boolean {
    try {
      return viewer.pump(this.#queue, this.#config.viewerQueue, now);
    } catch (error) {
      const { app, stream } = this.#stream.key;
      this.#stream.onFault(
        error,
        { reader: this.name, ...viewer.logFields, app, stream },
        'viewer failed and was disconnected',
      );
      viewer.socket.destroy();
      return true;
    }
  }

  #startWaiting(): void {
    const from = this.#queue.joinStart;
    const first = from === undefined ? undefined : this.#queue.at(from);
    if (this.#waiting.size === 0 || from === undefined || !first || !this.#muxer.isReady) return;
    const lead = this.#muxer.lead(first.facts.dtsMs);
    for (const viewer of this.#waiting) viewer.begin(lead, from, this.#queue);
    this.#waiting.clear();
  }
}
