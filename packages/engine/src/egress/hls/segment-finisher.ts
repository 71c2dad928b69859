// Finishes closed segments of one stream in order. Each segment is listed, reported and passed on when its file is complete. If the disk
// fails, the segment is listed from memory. The segment after a lost segment is discontinuous.
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { faultReporter } from '../../faults.ts';
import type { EnginePorts } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import type { DiskHealth } from './disk-health.ts';
import type { GrowingSegment } from './growing-segment.ts';
import type { HlsSegment } from './kept-segments.ts';
import type { PlaylistFile } from './playlist-file.ts';
import { folderOf, playlistName } from './segment-names.ts';

/** A consumer that keeps segments longer than the live playlist. Its methods must neither throw nor reject. */
export interface SegmentKeeper {
  /** The file exists at least until the returned promise resolves. */
  take(key: StreamKey, path: string, segment: FinishedSegment): Promise<void>;
  miss(key: StreamKey): void;
}

interface FinishedSegment {
  /** Milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly sizeBytes: number;
  readonly isDiscontinuous: boolean;
}

export interface SegmentFinisherOptions {
  readonly key: StreamKey;
  readonly ports: Pick<EnginePorts, 'log' | 'onFault' | 'onHlsSegment'>;
  readonly disk: DiskHealth;
  readonly keeper?: SegmentKeeper | undefined;
  readonly playlistFile: Pick<PlaylistFile, 'path' | 'write'>;
  /** Whether viewers request segments. If not, segments are stored only on disk. */
  readonly isWatched: () => boolean;
  readonly list: (segment: HlsSegment) => void;
  readonly playlistText: () => string;
}

/** Maximum size of closed segments queued for a slow disk, bytes per stream. Further segments are dropped. */
const maxFinishingBytes = 32 * 1024 * 1024;

export class SegmentFinisher {
  readonly #options: SegmentFinisherOptions;
  #finishing: Promise<void> = Promise.resolve();
  #finishingBytes = 0;
  #isGap = false;

  constructor(options: SegmentFinisherOptions) {
    this.#options = options;
  }

  finish(growing: GrowingSegment, durationMs: number): void {
    if (this.#finishingBytes + growing.sizeBytes > maxFinishingBytes) {
      growing.discard().catch(this.#onFailure);
      // The queued segments precede the lost segment.
      this.#finishing = this.#finishing.then(() => this.#lose());
      return;
    }
    growing.close();
    this.#finishingBytes += growing.sizeBytes;
    this.#finishing = this.#finishing.then(() => this.#finishSegment(growing, durationMs)).catch(this.#onFailure);
  }

  /** Resolves when all segments passed so far are finished. Never rejects. */
  quiet(): Promise<void> {
    return this.#finishing;
  }

  /** Never rejects: if the disk fails, only the file is lost. */
  async #finishSegment(growing: GrowingSegment, durationMs: number): Promise<void> {
    const { disk, isWatched, list, playlistFile, playlistText } = this.#options;
    const { facts, chunks, sizeBytes } = growing;
    const isOnDisk = await disk.guard(facts.path, () => growing.finishFile());
    this.#finishingBytes -= sizeBytes;
    if (!isOnDisk && chunks === undefined) {
      this.#lose();
      return;
    }
    const isDiscontinuous = facts.isDiscontinuous || (this.#isGap && facts.sequence > 0);
    const { fileName, path, sequence } = facts;
    const segment = {
      fileName,
      path,
      sequence,
      durationMs,
      isDiscontinuous,
      chunks: isOnDisk && !isWatched() ? undefined : chunks,
      sizeBytes,
      isOnDisk,
      removeAtMs: 0,
    };
    this.#isGap = false;
    list(segment);
    if (isOnDisk) this.#report(segment, facts.publisher);
    await this.#hand(segment, facts.startedAtMs);
    await disk.guard(playlistFile.path, () => playlistFile.write(playlistText()));
  }

  #lose(): void {
    const { keeper, key } = this.#options;
    this.#isGap = true;
    keeper?.miss(key);
  }

  async #hand(
    { path, durationMs, sizeBytes, isDiscontinuous, isOnDisk, sequence }: HlsSegment,
    startedAtMs: number,
  ): Promise<void> {
    const { keeper, key } = this.#options;
    if (!isOnDisk) return keeper?.miss(key);
    // The first segment may follow a segment of another output, so it counts as discontinuous.
    const finished = { startedAtMs, durationMs, sizeBytes, isDiscontinuous: isDiscontinuous || sequence === 0 };
    await keeper?.take(key, path, finished);
  }

  #report({ path, fileName, durationMs, sequence }: HlsSegment, publisher: SessionInfo | undefined): void {
    const { key, ports, playlistFile } = this.#options;
    const folder = folderOf(key);
    ports.onHlsSegment({
      ...key,
      clientId: publisher?.clientId ?? '',
      ip: publisher?.ip ?? '',
      param: publisher?.param ?? '',
      tcUrl: publisher?.tcUrl ?? '',
      file: path,
      durationSeconds: durationMs / 1000,
      url: `${folder}/${fileName}`,
      m3u8: playlistFile.path,
      m3u8Url: `${folder}/${playlistName(key.stream)}`,
      sequenceNumber: sequence,
    });
  }

  /** A bug loses one segment; the output continues. */
  readonly #onFailure = (error: unknown): void => {
    const { key, ports } = this.#options;
    faultReporter(ports)(
      error,
      { reader: 'hls', app: key.app, stream: key.stream },
      'HLS segment could not be completed',
    );
  };
}
