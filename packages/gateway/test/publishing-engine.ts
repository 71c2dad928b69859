// A minimal engine that publishes streams and records requests of other gateways.
import type { DatagramSource, Engine, StreamKey } from '@srs-stack/engine';
import { FakeEngine, publisherOf, streamOf } from './fake-engine.ts';

/** The publisher of a stream on a `PublishingEngine`, with a client id for each stream. */
export const ownPublisherOf = (stream: string) => ({ ...publisherOf(stream), clientId: `publisher of ${stream}` });

export class PublishingEngine extends FakeEngine {
  #observer: Parameters<Engine['observeStreams']>[0] | undefined;
  readonly datagrams: string[] = [];
  readonly keyframesAsked: string[] = [];
  /** Entries `stream context bytes`. */
  readonly hlsBytes: string[] = [];
  yields = true;
  yieldsAsked = 0;
  /** Calls about a publisher get a response after this promise has resolved. */
  answers: Promise<unknown> = Promise.resolve();

  override observeStreams(observer: Parameters<Engine['observeStreams']>[0]): () => void {
    this.#observer = observer;
    return () => undefined;
  }

  begin(stream: StreamKey): void {
    this.shownStreams.push(streamOf(stream.stream, { publisher: ownPublisherOf(stream.stream) }));
    this.#observer?.onStart({ key: stream });
  }

  end(stream: StreamKey): void {
    this.shownStreams = [];
    this.#observer?.onEnd({ key: stream });
  }

  override sendCopy(_key?: StreamKey, open?: () => { end(bytes: string): void } | undefined): boolean {
    if (this.shownStreams.length === 0) return false;
    open?.()?.end('tags');
    return true;
  }

  override async isSending(): Promise<boolean> {
    await this.answers;
    return !this.yields;
  }

  override async yieldStream(): Promise<boolean> {
    this.yieldsAsked += 1;
    await this.answers;
    return this.yields;
  }

  override requestKeyframe(stream?: StreamKey): void {
    this.keyframesAsked.push(stream?.stream ?? '');
  }

  override countHlsBytes({ stream }: StreamKey, context: string, bytes: number): void {
    this.hlsBytes.push(`${stream} ${context} ${bytes}`);
  }

  override takeDatagram(datagram?: Buffer, remote?: DatagramSource): void {
    this.datagrams.push(`${remote?.address}:${remote?.port} ${datagram}`);
  }
}
