// Data of tutorial videos, cached and requested from the video site at most once a day. Built-in data for the console's tutorials makes the
// call work without internet, and without a long wait.
import { AppError, tutorialVideos, type VideoFacts, videoFacts } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { CollectionType, Store } from '../store/store.ts';

/** Age at which cached data is requested again, milliseconds. */
export const factsLastMs = 24 * 60 * 60_000;
/** Maximum time that a call with outdated data waits for newer data, milliseconds. */
const newestWaitMs = 1_500;
/** Pause after a failed request, milliseconds. Without a pause, every call on a server without internet would wait. */
export const siteRestMs = 10 * 60_000;
/** Maximum number of videos in the cache: several times the number of tutorials. */
const maxRemembered = 200;

const rememberedVideos: CollectionType<{ atMs: number; facts: VideoFacts }> = {
  name: 'video-facts',
  schema: z.object({ atMs: z.number(), facts: videoFacts }),
};

/** Numbers of views, likes and shares until the first response of the site. Only titles are built in. */
const unknownCounts = { view: 0, like: 0, share: 0 };
const knownBeforehand: Readonly<Record<string, VideoFacts>> = {
  [tutorialVideos.start]: { title: 'SRS云服务器：起步、购买和入门', desc: '', stat: unknownCounts },
  [tutorialVideos.https]: { title: '云SRS如何一键HTTPS', desc: '', stat: unknownCounts },
};

export interface TutorialVideosDeps {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => Date;
  /** Queries the video site. Rejects after a timeout or for an unknown video. */
  readonly querySite: (bvid: string) => Promise<unknown>;
}

export interface TutorialVideos {
  /** Throws `videoSiteUnreachable` if the site does not respond and no data of the video is known. */
  facts(bvid: string): Promise<VideoFacts>;
}

export function createTutorialVideos({ store, log, now, querySite }: TutorialVideosDeps): TutorialVideos {
  const remembered = store.collection(rememberedVideos);
  const running = new Map<string, Promise<VideoFacts | undefined>>();
  const failedAtMs = new Map<string, number>();
  const nowMs = () => now().getTime();

  const ask = async (bvid: string): Promise<VideoFacts | undefined> => {
    try {
      const facts = videoFacts.parse(await querySite(bvid));
      failedAtMs.delete(bvid);
      await remember(bvid, facts);
      return facts;
    } catch (error) {
      if (failedAtMs.size >= maxRemembered) failedAtMs.clear();
      failedAtMs.set(bvid, nowMs());
      log.info({ err: error, bvid }, 'video site did not respond');
      return undefined;
    }
  };

  const remember = async (bvid: string, facts: VideoFacts) => {
    const rows = await remembered.entries();
    if (!rows.has(bvid) && rows.size >= maxRemembered) {
      const [oldest] = [...rows].sort(([, a], [, b]) => a.atMs - b.atMs);
      if (oldest) await remembered.remove(oldest[0]);
    }
    await remembered.put(bvid, { atMs: nowMs(), facts });
  };

  /** Requests newer data of a video. Simultaneous calls share a request. */
  const newest = (bvid: string): Promise<VideoFacts | undefined> => {
    const pending = running.get(bvid) ?? ask(bvid).finally(() => running.delete(bvid));
    running.set(bvid, pending);
    return pending;
  };

  return {
    async facts(bvid) {
      const row = await remembered.get(bvid);
      if (row && Math.abs(nowMs() - row.atMs) < factsLastMs) return row.facts;
      const known = row?.facts ?? knownBeforehand[bvid];
      const isResting = nowMs() - (failedAtMs.get(bvid) ?? Number.NEGATIVE_INFINITY) < siteRestMs;
      const facts = isResting ? undefined : await (known ? atMost(newestWaitMs, newest(bvid)) : newest(bvid));
      if (facts ?? known) return (facts ?? known)!;
      throw new AppError('videoSiteUnreachable');
    },
  };
}

/** Waits for `pending` at most `ms` milliseconds, then returns undefined. The request continues. */
async function atMost<T>(ms: number, pending: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([pending, late]).finally(() => clearTimeout(timer));
}
