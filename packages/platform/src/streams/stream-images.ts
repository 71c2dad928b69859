// Preview images of live streams, created from the newest keyframe on request and cached briefly.
import type { MediaServer } from '../media-server/media-server.ts';

export const imageCacheMs = 10_000;
/** Maximum number of parallel FFmpeg processes. An image takes a tenth of a second on one CPU core. */
const maxAtOnce = 1;
/** Maximum number of streams waiting for an image. A further request gets the previous image, or null. */
const maxWaiting = 100;
/** Maximum number of cached images, about 10 KB each. */
const maxKept = 200;

export interface StreamImages {
  /** A JPEG as `data:` URL; null if no image is available now. Never rejects. */
  find(streamId: string): Promise<string | null>;
  close(): void;
}

export function createStreamImages(deps: {
  mediaServer: Pick<MediaServer, 'readKeyframe'>;
  takeScreenshot: (keyframe: Buffer, signal: AbortSignal) => Promise<Buffer | undefined>;
  now: () => Date;
}): StreamImages {
  const { mediaServer, takeScreenshot, now } = deps;
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
    const picture = keyframe && (await takeScreenshot(keyframe, stopping.signal));
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
      if (before && Math.abs(atMs - before.atMs) < imageCacheMs) return before.picture;
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
