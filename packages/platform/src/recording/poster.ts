// The picture of a recording: made once from its first keyframe when somebody asks, kept in its folder.
import { rename, stat } from 'node:fs/promises';
import type { Log } from '@srs-stack/process/log.ts';
import { posterLimits } from '@srs-stack/programs';
import { partSuffix, posterName, type RecordFolder } from './record-folder.ts';
import { posterArguments, type RunFfmpeg } from './remux.ts';
import { writeSegmentName } from './segment-name.ts';

/** FFmpeg processes for pictures at one time, and requests that may wait for one. */
const maxAtOnce = 2;
const maxWaiting = 200;
/** Longest time for one picture, milliseconds. */
const timeoutMs = 15_000;
/** Segments that are tried: a recording may begin with sound alone. */
const triedSegments = 3;
/** Recordings without a picture that are remembered. */
const maxRememberedFailures = 10_000;

export interface Posters {
  /** Path of the picture; undefined when there is none. Never rejects. */
  find(uuid: string): Promise<string | undefined>;
  close(): Promise<void>;
}

export function createPosters(deps: { folder: RecordFolder; runFfmpeg: RunFfmpeg; log: Log }): Posters {
  const { folder, runFfmpeg, log } = deps;
  const underWay = new Map<string, Promise<string | undefined>>();
  const without = new Set<string>();
  const stopping = new AbortController();
  const queue: (() => void)[] = [];
  let running = 0;

  const enter = async () => {
    if (running >= maxAtOnce) await new Promise<void>((resolve) => queue.push(resolve));
    running += 1;
  };
  const leave = () => {
    running -= 1;
    queue.shift()?.();
  };

  const make = async (uuid: string): Promise<string | undefined> => {
    const target = folder.pathOf(uuid, posterName);
    for (const segment of (await folder.segments(uuid)).slice(0, triedSegments)) {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]);
      const part = target + partSuffix;
      const args = posterArguments(folder.pathOf(uuid, writeSegmentName(segment)), part);
      const { ok } = await runFfmpeg(args, signal, posterLimits);
      const size = ok ? (await stat(part).catch(() => undefined))?.size : 0;
      if (!size) continue;
      await rename(part, target);
      return target;
    }
    return undefined;
  };

  const makeInTurn = async (uuid: string): Promise<string | undefined> => {
    await enter();
    try {
      const made = await make(uuid);
      if (made === undefined) without.add(uuid);
      if (without.size > maxRememberedFailures) without.clear();
      return made;
    } catch (error) {
      log.warn({ err: error, uuid }, 'no picture of the recording');
      return undefined;
    } finally {
      leave();
    }
  };

  return {
    async find(uuid) {
      const path = folder.pathOf(uuid, posterName);
      if (await stat(path).catch(() => undefined)) return path;
      if (without.has(uuid) || stopping.signal.aborted) return undefined;
      const begun = underWay.get(uuid);
      if (begun) return begun;
      if (queue.length >= maxWaiting) return undefined;
      const made = makeInTurn(uuid).finally(() => underWay.delete(uuid));
      underWay.set(uuid, made);
      return made;
    },
    async close() {
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}
