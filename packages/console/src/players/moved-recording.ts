// A recording that is only in a bucket is one MP4 without segments: the server redirects its playlist to that file,
// which an HLS player cannot play.
import { recordLinkPrefix } from '@srs-stack/contract/constants.ts';
import { onServer, pathOnServer } from './server-root.ts';

const playlistEnding = '.m3u8';

/**
 * Address of the MP4 on this server that replaced the playlist. Undefined while the playlist exists, for other addresses, and when the
 * request fails. Keeps the query, which may authorize playback.
 */
export async function movedRecording(url: string, page: string = location.href): Promise<string | undefined> {
  const address = URL.parse(url, page);
  const uuid = recordingOf(pathOnServer(address?.pathname ?? ''));
  if (!address || uuid === undefined || address.origin !== new URL(page).origin) return undefined;
  const head = await fetch(address, { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).catch(() => undefined);
  if (head?.type !== 'opaqueredirect') return undefined;
  address.pathname = new URL(onServer(`${recordLinkPrefix}${uuid}/index.mp4`)).pathname;
  // `via=server`: without it, the server would redirect to the bucket, from which the page cannot play.
  address.searchParams.set('via', 'server');
  return address.href;
}

/** UUID of the recording in `/terraform/v1/hooks/record/hls/<uuid>.m3u8`; undefined for any other path. */
function recordingOf(path: string): string | undefined {
  if (!path.startsWith(recordLinkPrefix) || !path.endsWith(playlistEnding)) return undefined;
  const uuid = path.slice(recordLinkPrefix.length, -playlistEnding.length);
  return uuid === '' || uuid.includes('/') ? undefined : uuid;
}
