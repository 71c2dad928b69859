// Handles recordings that only the bucket contains. The server redirects the HLS playlist to one MP4 file, which HLS players cannot play.
import { recordLinkPrefix } from '@srs-stack/contract/constants.ts';
import { onServer, pathOnServer } from './server-root.ts';

const playlistEnding = '.m3u8';

/**
 * Returns the address of the MP4 file that replaced the playlist, with the authorizing query. Undefined if the playlist exists or the
 * request fails.
 */
export async function movedRecording(url: string, page: string = location.href): Promise<string | undefined> {
  const address = URL.parse(url, page);
  const uuid = recordingOf(pathOnServer(address?.pathname ?? ''));
  if (!address || uuid === undefined || address.origin !== new URL(page).origin) return undefined;
  const head = await fetch(address, { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).catch(() => undefined);
  if (head?.type !== 'opaqueredirect') return undefined;
  address.pathname = new URL(onServer(`${recordLinkPrefix}${uuid}/index.mp4`)).pathname;
  // `via=server` prevents a redirect to the bucket, from which the page cannot play.
  address.searchParams.set('via', 'server');
  return address.href;
}

/** The UUID in `/terraform/v1/hooks/record/hls/<uuid>.m3u8`; undefined for other paths. */
function recordingOf(path: string): string | undefined {
  if (!path.startsWith(recordLinkPrefix) || !path.endsWith(playlistEnding)) return undefined;
  const uuid = path.slice(recordLinkPrefix.length, -playlistEnding.length);
  return uuid === '' || uuid.includes('/') ? undefined : uuid;
}
