// Small pictures of live streams for lists: made from the newest keyframe when somebody looks, a few at a time, kept briefly.
import type { MediaServer } from '../media-server/media-server.ts';

/** A picture serves everybody this long, milliseconds. */
export const pictureCacheMs = 10_000;
/** FFmpeg processes at one time: each takes a tenth of a second of one processor. */
const maxAtOnce = 1;
/** Streams that may wait for their picture; beyond it the answer is "none for now". */
const maxWaiting = 100;
/** Pictures kept: about 10 KB each. */
const maxKept = 200;

export interface StreamPictures {
  /** A `data:` address of a JPEG; null when there is none for now. Never rejects. */
  find(streamId: string): Promise<string | null>;
  close(): void;
}

export function createStreamPictures(deps: {
  mediaServer: Pick<MediaServer, 'readKeyframe'>;
  takePicture: (keyframe: Buffer, signal: AbortSignal) => Promise<Buffer | undefined>;
  now: () => Date;
}): StreamPictures {
  const { mediaServer, takePicture, now } = deps;
  const kept = new Map<string, { atMs: number; picture: Promise<string | null> }>();
  const waiting: (() => void)[] = [];
  const stopping = new AbortController();
  let running = 0;

  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < maxAtOnce) running++;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };

  const make = async (streamId: string): Promise<string | null> => {
    if (stopping.signal.aborted) return null;
    const keyframe = await mediaServer.readKeyframe(streamId).catch(() => undefined);
    const picture = keyframe && (await takePicture(keyframe, stopping.signal));
    return picture ? `data:image/jpeg;base64,${picture.toString('base64')}` : null;
  };

  const forgetOldest = () => {
    for (const id of kept.keys()) {
      if (kept.size <= maxKept) return;
      kept.delete(id);
    }
  };

  return {
    find(streamId) {
      const atMs = now().getTime();
      const before = kept.get(streamId);
      if (before && Math.abs(atMs - before.atMs) < pictureCacheMs) return before.picture;
      if (waiting.length >= maxWaiting) return before?.picture ?? Promise.resolve(null);
      const picture = inTurn(() => make(streamId));
      kept.delete(streamId);
      kept.set(streamId, { atMs, picture });
      forgetOldest();
      return picture;
    },
    close: () => stopping.abort(),
  };
}
