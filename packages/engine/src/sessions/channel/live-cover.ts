// The live stream of a channel, shown instead of files. The channel reads the live stream while a takeover or scheduled item wants it and
// it is published. The channel shows the live stream from a keyframe on. A previous live stream that is still wanted stays on air until
// that keyframe.
import type { Packet } from '@srs-stack/media/packet.ts';
import { defaultVhost, type StreamKey } from '@srs-stack/media/stream-key.ts';
import type { Stream } from '../../hub/stream.ts';
import type { StreamHub } from '../../hub/stream-hub.ts';
import type { StreamReader } from '../../hub/stream-reader.ts';
import type { CopySource } from '../gate/play-gate.ts';
import { LiveReader } from './live-reader.ts';

export interface LiveCandidate {
  /** `app/stream`. */
  readonly live: string;
  /** True to start with the last keyframe, because nothing else is on air; false to start with the next keyframe. */
  readonly fromLast: boolean;
}

export interface LiveCoverDeps {
  readonly hub: Pick<StreamHub, 'liveSource' | 'attach' | 'requestKeyframe'>;
  readonly remote: CopySource;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly mayShow: (live: string) => boolean;
  readonly onBegin: (live: string, source: Stream, first: Packet) => void;
  readonly onPacket: (packet: Packet) => void;
  readonly onEnd: () => void;
  readonly onError: (error: unknown, live: string) => void;
}

export class LiveCover {
  readonly #deps: LiveCoverDeps;
  #current: LiveReader | undefined;
  #next: LiveReader | undefined;
  #requested: string | undefined;

  constructor(deps: LiveCoverDeps) {
    this.#deps = deps;
  }

  get onAir(): string | undefined {
    return this.#current?.live;
  }

  /** @param wanted candidates in order of precedence. Call at the frame rate. */
  tick(wanted: readonly LiveCandidate[], now: number): void {
    const isDone = (reader: LiveReader): boolean =>
      reader.isOver(now) || !this.#deps.mayShow(reader.live) || !wanted.some(({ live }) => live === reader.live);
    if (this.#next && isDone(this.#next)) this.#setNext(undefined);
    if (this.#current && isDone(this.#current)) {
      this.#current.close();
      this.#current = undefined;
      this.#deps.onEnd();
    }
    for (const each of wanted) {
      if (each.live === this.#current?.live || each.live === this.#next?.live || this.#open(each)) return;
    }
  }

  /** Whether the live stream waits for a keyframe, or is available from another gateway or an on-demand pull. */
  isComing(live: string): boolean {
    return this.#next?.live === live || this.#deps.remote.has(keyOf(live));
  }

  /** Stops without calling `onEnd`. Idempotent. */
  close(): void {
    this.#setNext(undefined);
    this.#current?.close();
    this.#current = undefined;
  }

  /** Starts to read the live stream; returns false if it is not published here or must not be shown. */
  #open({ live, fromLast }: LiveCandidate): boolean {
    const { hub, clock, mayShow, onPacket } = this.#deps;
    if (!mayShow(live)) return false;
    const key = keyOf(live);
    const source = hub.liveSource(key, { copies: true });
    if (!source) {
      this.#request(live, key);
      return false;
    }
    const onBegin = (begun: LiveReader, first: Packet): void => this.#begin(begun, first);
    const reader = new LiveReader({ live, source, clock, onPacket, onBegin, mayBegin: () => mayShow(live) });
    this.#setNext(reader);
    reader.open((each: StreamReader) => hub.attach(key, each, { fromGopCache: fromLast }));
    if (!fromLast) hub.requestKeyframe(key);
    return true;
  }

  #begin(reader: LiveReader, first: Packet): void {
    if (this.#next === reader) this.#next = undefined;
    if (this.#current !== reader) this.#current?.close();
    this.#current = reader;
    this.#deps.onBegin(reader.live, reader.source, first);
  }

  /** Requests the live stream from another gateway or an on-demand pull. Only one request runs at a time. */
  #request(live: string, key: StreamKey): void {
    const { remote, onError } = this.#deps;
    if (this.#requested !== undefined || !remote.has(key)) return;
    this.#requested = live;
    remote
      .ready(key)
      .catch((error: unknown) => onError(error, live))
      .finally(() => {
        this.#requested = undefined;
      });
  }

  #setNext(reader: LiveReader | undefined): void {
    this.#next?.close();
    this.#next = reader;
  }
}

function keyOf(live: string): StreamKey {
  const [app = '', stream = ''] = live.split('/');
  return { vhost: defaultVhost, app, stream };
}
