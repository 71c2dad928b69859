// The rewind window that the watch page offers for a stream. Pure.
import type { WatchRewind } from '@srs-stack/contract/values/watch-info.ts';
import { isRewound, type RewindSettings } from '@srs-stack/playback/rewind/rewind-settings.ts';

/** Undefined when viewers cannot rewind the stream. */
export function rewindOffer(
  settings: RewindSettings,
  { app, stream }: { app: string; stream: string },
): { readonly rewind: WatchRewind } | undefined {
  if (!isRewound(settings, { app, stream })) return undefined;
  const path = `/${[...app.split('/'), stream].map(encodeURIComponent).join('/')}.rewind`;
  return { rewind: { playlist: `${path}.m3u8`, thumbnails: `${path}.vtt`, windowSeconds: settings.minutes * 60 } };
}
