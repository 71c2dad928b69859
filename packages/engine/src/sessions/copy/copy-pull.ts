// Pulls one stream from another gateway and publishes it here, until either side ends.
import type { Readable } from 'node:stream';
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { ReportFault } from '../../faults.ts';
import type { Publication, StreamHub } from '../../hub/stream-hub.ts';
import { CopyPublisher } from '../../ingest/copy-publisher.ts';
import type { EngineLogger, StreamOrigins } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import { randomId } from '../../util/random-id.ts';

export interface CopyPullOptions {
  readonly hub: Pick<StreamHub, 'publish'>;
  readonly origins: Pick<StreamOrigins, 'pull' | 'requestKeyframe'>;
  readonly log: EngineLogger;
  readonly onFault: ReportFault;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Called when the pull was ended by the other gateway, an error or `close`. */
  readonly onOver: (pull: CopyPull) => void;
}

export class CopyPull {
  readonly key: StreamKey;
  /** Resolves at the first media, or when none will arrive. */
  readonly hasBegun: Promise<void>;
  /** Time since which the copy is without viewers, monotonic milliseconds; undefined with viewers. */
  idleSinceMs: number | undefined;
  readonly #options: CopyPullOptions;
  readonly #begin: () => void;
  #source: Readable | undefined;
  #publisher: CopyPublisher | undefined;
  #isOver = false;

  constructor(key: StreamKey, options: CopyPullOptions) {
    const { vhost, app, stream } = key;
    this.key = { vhost, app, stream };
    this.#options = options;
    const begun = Promise.withResolvers<void>();
    this.hasBegun = begun.promise;
    this.#begin = begun.resolve;
  }

  /** Never rejects. */
  async open(): Promise<void> {
    const { origins, hub, clock, log } = this.#options;
    try {
      const source = await origins.pull(this.key);
      source.on('error', () => this.close());
      this.#source = source;
      if (this.#isOver) {
        source.destroy();
        return;
      }
      const owner = { close: () => this.close(), requestKeyframe: () => origins.requestKeyframe(this.key) };
      const result = hub.publish(copySession(this.key), owner, clock());
      if (!result.ok) return this.close();
      log.info({ app: this.key.app, stream: this.key.stream }, 'stream is being copied from another gateway');
      this.#receive(source, result.publication);
    } catch (error) {
      log.debug({ err: error, stream: toStreamUrl(this.key) }, 'stream could not be pulled from another gateway');
      this.close();
    }
  }

  /** Idempotent. */
  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source?.destroy();
    this.#publisher?.end();
    this.#begin();
    this.#options.onOver(this);
  }

  #receive(source: Readable, publication: Publication): void {
    const publisher = new CopyPublisher(publication);
    this.#publisher = publisher;
    source.on('data', (bytes: Buffer) => {
      try {
        publisher.read(bytes);
      } catch (error) {
        const { app, stream } = this.key;
        this.#options.onFault(
          error,
          { app, stream, protocol: 'copy' },
          'copy of a stream from another gateway failed and was stopped',
        );
        this.close();
        return;
      }
      if (publication.stream.stats.hasMedia) this.#begin();
    });
    source.once('end', () => this.close());
    source.once('close', () => this.close());
    source.resume();
  }
}

function copySession({ vhost, app, stream }: StreamKey): SessionInfo {
  const clientId = randomId(8);
  return { vhost, app, stream, clientId, type: 'copy-publish', ip: '', param: '', tcUrl: '', pageUrl: '' };
}
