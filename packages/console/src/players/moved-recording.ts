// A recording that only a bucket has is one MP4 and no longer slices: the server answers its playlist with a redirect to that file, which
// a player of playlists cannot play.
import { recordLinkPrefix } from '@srs-stack/contract/constants.ts';
import { onServer, pathOnServer } from './server-root.ts';

const playlistEnding = '.m3u8';

/**
 * Address of the file that took the playlist's place, sent by this server; undefined while there is a playlist, for anything else,
 * and when nobody can tell. The query, which may open the recording, stays.
 */
export async function movedRecording(url: string, page: string = location.href): Promise<string | undefined> {
  const address = URL.parse(url, page);
  const uuid = recordingOf(pathOnServer(address?.pathname ?? ''));
  if (!address || uuid === undefined || address.origin !== new URL(page).origin) return undefined;
  const answer = await fetch(address, { method: 'HEAD', redirect: 'manual', cache: 'no-store' }).catch(() => undefined);
  if (answer?.type !== 'opaqueredirect') return undefined;
  address.pathname = new URL(onServer(`${recordLinkPrefix}${uuid}/index.mp4`)).pathname;
  // The page may play from its own server only.
  address.searchParams.set('via', 'server');
  return address.href;
}

/** Of `/terraform/v1/hooks/record/hls/<uuid>.m3u8`; undefined for any other path. */
function recordingOf(path: string): string | undefined {
  if (!path.startsWith(recordLinkPrefix) || !path.endsWith(playlistEnding)) return undefined;
  const uuid = path.slice(recordLinkPrefix.length, -playlistEnding.length);
  return uuid === '' || uuid.includes('/') ? undefined : uuid;
}
