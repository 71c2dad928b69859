// Poster image of a recording: created from the first keyframe at the first request, then stored in the record folder.
import { rename, stat } from 'node:fs/promises';
import type { Log } from '@srs-stack/process/log.ts';
import { posterLimits } from '@srs-stack/process/programs/media-limits.ts';
import { partSuffix, posterName, type RecordFolder } from '../record-folder.ts';
import { writeSegmentName } from '../segments/segment-name.ts';
import { posterArguments, type RunFfmpeg } from './remux.ts';

/** Maximum number of parallel FFmpeg processes for posters. */
const maxAtOnce = 2;
/** Maximum number of posters that wait for an FFmpeg process. */
const maxWaiting = 200;
/** Timeout of one FFmpeg run, milliseconds. */
const timeoutMs = 15_000;
/** Maximum number of segments tried, because a recording may start with audio only. */
const triedSegments = 3;
/** Maximum number of remembered recordings without a poster. */
const maxRememberedFailures = 10_000;

export interface Posters {
  /** Path of the poster. Undefined if there is none, too many posters wait, or after `close`. Rejects only for an invalid uuid. */
  find(uuid: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createPosters(deps: { folder: RecordFolder; runFfmpeg: RunFfmpeg; log: Log }): Posters {
  return new FfmpegPosters(deps);
}

class FfmpegPosters implements Posters {
  readonly #deps: { folder: RecordFolder; runFfmpeg: RunFfmpeg; log: Log };
  readonly #underWay = new Map<string, Promise<string | undefined>>();
  readonly #without = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(deps: { folder: RecordFolder; runFfmpeg: RunFfmpeg; log: Log }) {
    this.#deps = deps;
  }

  async find(uuid: string): Promise<string | undefined> {
    const path = this.#deps.folder.pathOf(uuid, posterName);
    if (await stat(path).catch(() => undefined)) return path;
    if (this.#without.has(uuid) || this.#stopping.signal.aborted) return undefined;
    const begun = this.#underWay.get(uuid);
    if (begun) return begun;
    if (this.#queue.length >= maxWaiting) return undefined;
    const made = this.#makeInTurn(uuid).finally(() => this.#underWay.delete(uuid));
    this.#underWay.set(uuid, made);
    return made;
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#underWay.values());
  }

  async #enter(): Promise<void> {
    if (this.#running >= maxAtOnce) await new Promise<void>((resolve) => this.#queue.push(resolve));
    this.#running += 1;
  }

  #leave(): void {
    this.#running -= 1;
    this.#queue.shift()?.();
  }

  async #make(uuid: string): Promise<string | undefined> {
    const target = this.#deps.folder.pathOf(uuid, posterName);
    for (const segment of (await this.#deps.folder.segments(uuid)).slice(0, triedSegments)) {
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(timeoutMs)]);
      const part = target + partSuffix;
      const args = posterArguments(this.#deps.folder.pathOf(uuid, writeSegmentName(segment)), part);
      const { ok } = await this.#deps.runFfmpeg(args, signal, posterLimits);
      const size = ok ? (await stat(part).catch(() => undefined))?.size : 0;
      if (!size) continue;
      await rename(part, target);
      return target;
    }
    return undefined;
  }

  async #makeInTurn(uuid: string): Promise<string | undefined> {
    await this.#enter();
    try {
      const made = await this.#make(uuid);
      if (made === undefined) this.#without.add(uuid);
      if (this.#without.size > maxRememberedFailures) this.#without.clear();
      return made;
    } catch (error) {
      this.#deps.log.warn({ err: error, uuid }, 'poster of the recording could not be created');
      return undefined;
    } finally {
      this.#leave();
    }
  }
}
