// An engine of a few lines that publishes, and notes what other gateways ask of it.
import type { DatagramSource, Engine, StreamKey } from '@srs-stack/engine';
import { FakeEngine, publisherOf, streamOf } from './fake-engine.ts';

/** Whoever publishes a stream at such an engine: of each stream another one. */
export const ownPublisherOf = (stream: string) => ({ ...publisherOf(stream), clientId: `publisher of ${stream}` });

export class PublishingEngine extends FakeEngine {
  #observer: Parameters<Engine['observeStreams']>[0] | undefined;
  readonly datagrams: string[] = [];
  readonly keyframesAsked: string[] = [];
  /** `stream context bytes` */
  readonly hlsBytes: string[] = [];
  yields = true;
  /** How often a publisher was to give way. */
  yieldsAsked = 0;
  /** Resolves when a call about a publisher may be answered. */
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
