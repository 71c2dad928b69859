// Notices to the control plane: callbacks that report an event and need no verdict. Notices of a stream keep their order. Finished segments
// of all streams are sent in batches.

import { paths } from '@srs-stack/contract/paths.ts';
import type { HlsSegmentEvent as SegmentBody } from '@srs-stack/contract/wire/callback-bodies.ts';
import { type EngineLogger, type StreamKey, toStreamUrl } from '@srs-stack/engine';
import type { CallbackBody, CallbackQuestion } from './callback-body.ts';
import { noticeTimeoutMs } from './callback-limits.ts';
import type { CallbackOutcome } from './callback-verdict.ts';
import { NoticeQueue } from './notice-queue.ts';
import { SegmentCalls } from './segment-calls.ts';

/** Posts to the control plane. Never rejects. */
export type SendCallback = (path: string, body: CallbackQuestion, timeoutMs: number) => Promise<CallbackOutcome>;

export class Notices {
  readonly #send: SendCallback;
  readonly #log: EngineLogger;
  readonly #queue = new NoticeQueue<CallbackBody>((notice) => this.deliver(notice));
  readonly #segments = new SegmentCalls<SegmentBody>((bodies) => this.#post(bodies));

  constructor(send: SendCallback, log: EngineLogger) {
    this.#send = send;
    this.#log = log;
  }

  get size(): number {
    return this.#queue.size;
  }

  add(key: StreamKey, notice: CallbackBody): void {
    this.#queue.push(toStreamUrl(key), notice);
    // Sends the waiting batch of segments now, because this notice waits for earlier segments of the stream.
    if (notice.action !== 'on_hls') this.#segments.hurry();
  }

  /** Tries once; a segment may wait for its batch. Resolves with false to request a retry. Never rejects. */
  async deliver(notice: CallbackBody): Promise<boolean> {
    const isSegment = notice.action === 'on_hls';
    const sent = isSegment
      ? this.#segments.report(notice)
      : this.#send(paths.verifyStream.path, notice, noticeTimeoutMs);
    return this.#isDelivered(notice, await sent);
  }

  async flush(key: StreamKey): Promise<void> {
    const flushed = this.#queue.flush(toStreamUrl(key));
    this.#segments.hurry();
    await flushed;
  }

  async close(timeoutMs: number): Promise<void> {
    this.#segments.close();
    await this.#queue.close(timeoutMs);
    const { dropped } = this.#queue;
    if (dropped > 0) this.#log.warn({ dropped }, 'callbacks were dropped');
  }

  #post(segments: readonly SegmentBody[]): Promise<CallbackOutcome> {
    const [first] = segments;
    return first && segments.length === 1
      ? this.#send(paths.hlsSegment.path, { ...first, asks_many: true }, noticeTimeoutMs)
      : this.#send(paths.hlsSegments.path, { segments: [...segments] }, noticeTimeoutMs);
  }

  /** Every response except 503 counts as delivery, also a refusal. */
  #isDelivered({ action, stream }: CallbackBody, outcome: CallbackOutcome): boolean {
    if (outcome.kind === 'answer' && outcome.status >= 400 && outcome.status !== 503) {
      this.#log.warn({ action, stream, status: outcome.status }, 'the control plane did not accept a callback');
    }
    return outcome.kind === 'answer' && outcome.status !== 503;
  }
}
