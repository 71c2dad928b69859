// Puts spare encoders, backup sources and slates on air, and ends them. A source that is silent for longer than the rule allows is replaced
// by a live spare encoder or backup source. If neither is live, a slate is shown, up to its maximum duration. The hub calls `tick`
// regularly for each stream, and ends a stream when the result is true.
import { type StreamKey, toStreamUrl } from '@srs-stack/media/stream-key.ts';
import type { SlateTotals } from '../../engine-snapshot.ts';
import type { ReportFault } from '../../faults.ts';
import type { EngineLogger } from '../../ports.ts';
import type { SessionInfo } from '../../session-info.ts';
import type { Publication } from '../publication.ts';
import type { Spares } from '../spares.ts';
import type { Stream } from '../stream.ts';
import type { StreamEndReason, StreamReader } from '../stream-reader.ts';
import { BackupShow, type BackupSource } from './backup-show.ts';
import { matchSlate, type SlateMedia, type SlateRule } from './slate-media.ts';

export interface SlateHost {
  /** The rule of the stream; undefined if none. Synchronous. */
  ruleFor(key: StreamKey): SlateRule | undefined;
  /** Called when a slate starts. Call `showSlates` once per frame interval until the result is false. */
  onShow(): void;
  /** Called when a session that the host authorized as publisher no longer has its stream, and its end was not reported before. */
  onRelease(session: SessionInfo): void;
}

/** These ends of a publisher end the stream too: by an operator, a publisher at another gateway, shutdown. */
const finalReasons: ReadonlySet<StreamEndReason> = new Set(['kicked', 'replaced', 'shutdown']);

/**
 * Even after the maximum duration of a slate, a new publisher has this time for its first keyframe, milliseconds: about a GOP of most
 * encoders.
 */
const returnMs = 10_000;

/** Rule for streams with a spare encoder and no configured rule. `afterMs` equals the gateway's `takeoverSilenceMs`. */
const spareRule: SlateRule = { afterMs: 3_000, longestMs: Number.POSITIVE_INFINITY, media: undefined };

/** Used part of the hub. */
export interface BackupSources {
  find(key: StreamKey): Stream | undefined;
  /** The stream, while its source or spare encoder sends and readers can start. */
  liveSource(key: StreamKey): Stream | undefined;
  readonly spares: Pick<Spares, 'of' | 'live' | 'attach'>;
  attach(key: StreamKey, reader: StreamReader, options: { fromGopCache: boolean }): { detach(): void };
  readonly clock: () => number;
}

export class SlateKeeper {
  readonly #host: SlateHost | undefined;
  readonly #log: EngineLogger;
  readonly #onFault: ReportFault;
  readonly #sources: BackupSources;
  /** Streams with a slate on air, and its start in monotonic milliseconds. */
  readonly #showing = new Map<Stream, number>();
  readonly #shownMedia = new WeakMap<Stream, SlateMedia>();
  #shown = 0;
  #endedMs = 0;

  constructor(host: SlateHost | undefined, log: EngineLogger, onFault: ReportFault, sources: BackupSources) {
    this.#sources = sources;
    this.#host = host;
    this.#log = log;
    this.#onFault = onFault;
  }

  holds({ stream, isHeld, isCopy }: Publication, reason: StreamEndReason): boolean {
    if (isHeld || isCopy || finalReasons.has(reason)) return false;
    if (this.#rule(stream) === undefined) return false;
    if (this.#hasSpares(stream)) return true;
    return (
      stream.standIn !== undefined || this.#backupFor(stream) !== undefined || this.#mediaFor(stream) !== undefined
    );
  }

  /** Name of the slate's file; undefined without a slate or before the file was read. */
  preparedFile(stream: Stream): string | undefined {
    return this.#rule(stream)?.fileName;
  }

  showNow(stream: Stream, now: number): boolean {
    const media = this.#mediaFor(stream);
    if (media) this.#begin(stream, media, now);
    return media !== undefined;
  }

  release(session: SessionInfo): void {
    this.#host?.onRelease(session);
  }

  /** Returns true when the stream must end: no substitute is left, or the slate has reached its maximum duration. */
  tick(publication: Publication, now: number): boolean {
    const { stream, isHeld, isCopy } = publication;
    if (isCopy) return false;
    const rule = this.#rule(stream);
    if (stream.standIn) return this.#tickStandIn(publication, rule, now);
    const media = this.#mediaFor(stream);
    const backup = this.#backupFor(stream);
    if (!rule || (!media && !backup)) return isHeld && !this.#hasSpares(stream);
    // Switches to a spare encoder immediately when the main encoder has disconnected, because the switch is seamless.
    const isDue = isHeld && backup !== undefined && backup === this.#sources.spares.live(stream.key);
    if (!isDue && now - publication.lastPacketAtMs < rule.afterMs) return false;
    if (backup) this.#beginBackup(stream, backup);
    else if (media) this.#begin(stream, media, now);
    return false;
  }

  #tickStandIn(publication: Publication, rule: SlateRule | undefined, now: number): boolean {
    const { stream, isHeld, startedAtMs } = publication;
    const { standIn } = stream;
    if (standIn instanceof BackupShow) return this.#tickBackup(publication, standIn, rule, now);
    const backup = this.#backupFor(stream);
    if (backup) {
      this.#beginBackup(stream, backup);
      return false;
    }
    this.#follow(stream, rule, now);
    const isReturning = !isHeld && now - startedAtMs < returnMs;
    if (rule && rule !== spareRule) return now - standIn!.sinceMs >= rule.longestMs && !isReturning;
    const isOver = isHeld && !this.#hasSpares(stream);
    if (!isOver) this.stop(stream, now);
    return isOver;
  }

  /** Keeps the backup on air until it ends or a preferred backup is live. Returns true when the stream must end. */
  #tickBackup({ stream, isHeld }: Publication, show: BackupShow, rule: SlateRule | undefined, now: number): boolean {
    const backups = this.#backups(stream);
    const rank = backups.indexOf(show.backup);
    const live = this.#backupFor(stream);
    const isOver = rank < 0 || !rule || show.isOver(now, rule.afterMs);
    if (!isOver && (!live || backups.indexOf(live) >= rank)) return false;
    if (live) {
      this.#beginBackup(stream, live);
      return false;
    }
    const media = this.#mediaFor(stream);
    if (media) this.#begin(stream, media, now);
    else this.stop(stream, now);
    return media === undefined && isHeld && !this.#hasSpares(stream);
  }

  /** Replaces the slate when the rule has other media. The maximum duration does not start again. */
  #follow(stream: Stream, rule: SlateRule | undefined, now: number): void {
    const { slate } = stream;
    if (!slate || !rule?.media || this.#shownMedia.get(stream) === rule.media) return;
    const media = this.#mediaFor(stream);
    if (!media) return;
    this.#shownMedia.set(stream, rule.media);
    stream.beginSlate(media, now, slate.sinceMs);
  }

  show(now: number): boolean {
    for (const stream of [...this.#showing.keys()]) {
      try {
        stream.showSlate(now);
      } catch (error) {
        this.#onFault(error, streamFields(stream), 'slate failed and was stopped');
        stream.stopSlate();
      }
      if (!stream.slate) this.#end(stream, now);
    }
    return this.#showing.size > 0;
  }

  stop(stream: Stream, now: number): void {
    stream.stopSlate();
    this.#end(stream, now);
  }

  totals(now: number): SlateTotals {
    const onAirMs = [...this.#showing.values()].reduce((sum, sinceMs) => sum + now - sinceMs, 0);
    return { shown: this.#shown, shownMs: this.#endedMs + onAirMs };
  }

  #end(stream: Stream, now: number): void {
    const sinceMs = this.#showing.get(stream);
    if (sinceMs === undefined) return;
    this.#showing.delete(stream);
    this.#endedMs += now - sinceMs;
  }

  #begin(stream: Stream, media: SlateMedia, now: number): void {
    stream.beginSlate(media, now);
    const shown = this.#rule(stream)?.media;
    if (shown) this.#shownMedia.set(stream, shown);
    this.#showing.set(stream, now);
    this.#shown++;
    this.#log.info({ stream: toStreamUrl(stream.key) }, 'stream shows its slate');
    this.#host?.onShow();
  }

  #beginBackup(stream: Stream, backup: Stream): void {
    const { spares, clock } = this.#sources;
    const spare = spares.of(stream.key).find((each) => each.stream === backup);
    const show = new BackupShow(backup, clock, { isEncoder: spare !== undefined });
    const { video, audio, metadata } = backup;
    stream.beginStandIn(show, { tracks: [video, audio].filter((track) => track !== undefined), metadata });
    this.#end(stream, show.sinceMs);
    const fields = spare ? { priority: spare.priority } : { backup: toStreamUrl(backup.key) };
    const name = spare ? 'spare encoder' : 'backup source';
    this.#log.info({ stream: toStreamUrl(stream.key), ...fields }, `stream shows its ${name}`);
    const attach = (reader: StreamReader): { detach(): void } =>
      spares.attach(backup, reader) ?? this.#sources.attach(backup.key, reader, { fromGopCache: true });
    show.begin(attach, () => stream.showSlate(clock()));
  }

  /** Possible substitutes for the source, live or not, the preferred one first. Undefined for a backup source that does not exist here. */
  #backups(stream: Stream): (BackupSource | undefined)[] {
    const key = this.#rule(stream)?.backup;
    const spares = this.#sources.spares.of(stream.key).map((spare) => spare.stream);
    return [...spares, key && this.#sources.find(key)];
  }

  #backupFor(stream: Stream): Stream | undefined {
    const key = this.#rule(stream)?.backup;
    const found = this.#sources.spares.live(stream.key) ?? (key && this.#sources.liveSource(key));
    return found === stream ? undefined : found;
  }

  #hasSpares({ key }: Stream): boolean {
    return this.#sources.spares.of(key).length > 0;
  }

  #rule(stream: Stream): SlateRule | undefined {
    return this.#host?.ruleFor(stream.key) ?? (this.#hasSpares(stream) ? spareRule : undefined);
  }

  #mediaFor(stream: Stream): SlateMedia | undefined {
    const media = this.#rule(stream)?.media;
    return media && matchSlate(media, stream.sourceTracks);
  }
}

function streamFields({ key: { app, stream } }: Stream): object {
  return { app, stream };
}
