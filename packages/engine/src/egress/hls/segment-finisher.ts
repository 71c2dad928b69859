// Finishes closed segments of one stream in order. A segment is listed, reported and passed on when its file is complete, or listed from
// memory when the disk fails. After a lost segment, the next one is discontinuous.
import type { StreamKey } from '@srs-stack/media/stream-key.ts';
import { faultReporter } from '../../faults.ts';
import type { EnginePorts } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import type { DiskHealth } from './disk-health.ts';
import type { GrowingSegment } from './growing-segment.ts';
import type { HlsSegment } from './kept-segments.ts';
import type { PlaylistFile } from './playlist-file.ts';
import { folderOf, playlistName } from './segment-names.ts';

/** Consumer that keeps finished segments longer than the live playlist; its methods must not throw or reject. */
export interface SegmentKeeper {
  /** The file exists at least until the promise resolves. */
  take(key: StreamKey, path: string, segment: FinishedSegment): Promise<void>;
  /** Called when a segment was lost. */
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
  /** Whether segments are requested: unrequested ones are only on disk. */
  readonly isWatched: () => boolean;
  /** Makes the segment available to viewers. */
  readonly list: (segment: HlsSegment) => void;
  /** Current text of the playlist. */
  readonly playlistText: () => string;
}

/** Bytes of closed segments queued for a slow disk, per stream; above it, new segments are dropped. */
const maxFinishingBytes = 32 * 1024 * 1024;

export class SegmentFinisher {
  readonly #options: SegmentFinisherOptions;
  #finishing: Promise<void> = Promise.resolve();
  #finishingBytes = 0;
  #isGap = false;

  constructor(options: SegmentFinisherOptions) {
    this.#options = options;
  }

  /** Takes over a closed segment. */
  finish(growing: GrowingSegment, durationMs: number): void {
    if (this.#finishingBytes + growing.sizeBytes > maxFinishingBytes) {
      growing.discard().catch(this.#onFailure);
      // Queued segments precede the gap.
      this.#finishing = this.#finishing.then(() => this.#lose());
      return;
    }
    growing.close();
    this.#finishingBytes += growing.sizeBytes;
    this.#finishing = this.#finishing.then(() => this.#finishSegment(growing, durationMs)).catch(this.#onFailure);
  }

  /** Resolves when all segments taken over so far are finished. Never rejects. */
  quiet(): Promise<void> {
    return this.#finishing;
  }

  /** Never rejects: when the disk fails, only the file is lost, and the stream continues. */
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
    // The first segment counts as discontinuous, because it may follow a segment of another output.
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

  /** One segment is lost; the output continues. */
  readonly #onFailure = (error: unknown): void => {
    const { key, ports } = this.#options;
    faultReporter(ports)(
      error,
      { reader: 'hls', app: key.app, stream: key.stream },
      'HLS segment could not be completed',
    );
  };
}
