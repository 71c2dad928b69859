// Finds the tracks of a recording and the first frame of each track. A track that begins inside a segment is announced only by the tables
// of the next segment. The last segment, also before a break, has no such next segment, so its frames are searched.
import { readHead, readUntilBegun } from '../segments/segment-head.ts';
import type { SegmentMedia } from '../segments/segment-media.ts';
import { isBreak, type RecordedSegment } from '../segments/segment-name.ts';
import {
  type AnnouncedTracks,
  beginOf,
  planTrack,
  type RemuxPlan,
  readAnnounced,
  segmentsToProbe,
  type TrackBegin,
  type TrackKind,
} from './remux-plan.ts';

interface LookDeps {
  readonly pathOf: (segment: RecordedSegment) => string;
  readonly signal: AbortSignal;
}

/** Plans the remux from the contents of the segments. Rejects when a file is missing. */
export async function lookInto(segments: readonly RecordedSegment[], deps: LookDeps): Promise<RemuxPlan> {
  return new RecordingLook(segments, deps).plan();
}

class RecordingLook {
  readonly #segments: readonly RecordedSegment[];
  readonly #deps: LookDeps;
  readonly #heads = new Map<number, SegmentMedia>();

  constructor(segments: readonly RecordedSegment[], deps: LookDeps) {
    this.#segments = segments;
    this.#deps = deps;
  }

  async plan(): Promise<RemuxPlan> {
    const probed = segmentsToProbe(this.#segments);
    for (const index of probed) await this.#head(index);
    for (const [at, index] of probed.entries()) await this.#lookBetween(probed[at - 1] ?? index, index);
    const looked = this.#segments.map((segment, index) => ({ segment, media: this.#heads.get(index) }));
    const announced = readAnnounced(looked);
    const planOf = async (kind: TrackKind) => {
      const begin = await this.#findBegin(kind, announced);
      return begin && planTrack(looked, announced, { begin, changes: announced[kind]?.changes ?? false });
    };
    return { video: await planOf('video'), audio: await planOf('audio'), jumps: announced.jumps };
  }

  async #head(index: number): Promise<SegmentMedia> {
    const media = this.#heads.get(index) ?? (await readHead(this.#deps.pathOf(this.#segments[index]!)));
    this.#heads.set(index, media);
    return media;
  }

  /** Reads the segments between `from` and `to` until a track is new. Needed for clips: the segment names of clips mark no new tracks. */
  async #lookBetween(from: number, to: number): Promise<void> {
    const known = await this.#head(from);
    const last = await this.#head(to);
    const isNew = ({ tracks }: SegmentMedia) => tracks.length > known.tracks.length;
    if (!isNew(last)) return;
    for (let index = from + 1; index < to; index++) if (isNew(await this.#head(index))) return;
  }

  /** Finds the first frame of a track, preferably decodable, which may come much later than the announcement. Undefined without frames. */
  async #findBegin(kind: TrackKind, announced: AnnouncedTracks): Promise<TrackBegin | undefined> {
    let undecodable: TrackBegin | undefined;
    for (const index of this.#candidates(announced[kind]?.from.index)) {
      const head = this.#heads.get(index);
      const found = head && beginOf(head, index, kind, 'begin');
      if (found) return found;
      const media = await readUntilBegun(this.#deps.pathOf(this.#segments[index]!), kind, this.#deps.signal);
      const begin = beginOf(media, index, kind, 'begin');
      if (begin) return begin;
      undecodable ??= beginOf(media, index, kind, 'first');
    }
    return undecodable;
  }

  /**
   * Segments that may contain the first frame of a track.
   * @param announcedAt index of the first segment that announces the track; undefined: only the last segment, and the last before each
   * break, can contain frames.
   */
  #candidates(announcedAt: number | undefined): number[] {
    const all = [...this.#segments.keys()];
    if (announcedAt !== undefined) return all.slice(Math.max(0, announcedAt - 1));
    return all.filter((index) => {
      const next = this.#segments[index + 1];
      return next === undefined || isBreak(this.#segments[index]!, next);
    });
  }
}
