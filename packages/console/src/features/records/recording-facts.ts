// Display values and links of a recording. Pure.
import type { RecordRow } from '@srs-stack/contract';
import { recordLinkPrefix } from '@srs-stack/contract/constants.ts';

/** Formats a total duration as `12:05:30`. */
export function formatClock(seconds: number): string {
  const whole = Math.round(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** Shell commands that move the recordings to another disk and replace the folder by a link. */
export function moveCommands(directory: string): string {
  const from = shellWord(directory);
  return `mv ${from} /mnt/big-disk/record\nln -s /mnt/big-disk/record ${from}`;
}

/** Quotes a path as one word of a POSIX shell. */
function shellWord(path: string): string {
  return /^[\w/.:@%+,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** Whether the only copy of the file is on a server that is down. */
export function isOutOfReach({ node, place }: Pick<RecordRow, 'node' | 'place'>): boolean {
  return node?.isAway === true && place === 'server';
}

export interface RecordingLinks {
  readonly playlist: string;
  /** Undefined without an MP4. */
  readonly mp4: string | undefined;
  readonly download: string | undefined;
  readonly poster: string;
  /** Address for the player of this page. The page plays only from this server, so this server also delivers files of the bucket. */
  readonly played: string | undefined;
  /** Path on the server, or address in the bucket. */
  readonly location: string;
  /** Address of the player page, to be opened in another tab. */
  readonly preview: string;
}

/** Another address for each attempt, so that the playlist is loaded again. Links of protected streams already have a query. */
export function withAttempt(playlist: string, attempt: number): string {
  return `${playlist}${playlist.includes('?') ? '&' : '?'}attempt=${attempt}`;
}

/** @param directory folder of the recordings on the server. */
export function linksOf(
  row: Pick<RecordRow, 'uuid' | 'state' | 'place' | 'object' | 'watchQuery'>,
  directory = '',
): RecordingLinks {
  const { uuid, state, place, object, watchQuery = '' } = row;
  const opened = (path: string, query = '') => {
    const all = [query, watchQuery].filter((part) => part !== '').join('&');
    return all === '' ? path : `${path}?${all}`;
  };
  const playlist = opened(`${recordLinkPrefix}${uuid}.m3u8`);
  const file = state === 'done' ? `${recordLinkPrefix}${uuid}/index.mp4` : undefined;
  const mp4 = file && opened(file);
  return {
    playlist,
    mp4,
    download: file && opened(file, 'download=1'),
    poster: opened(`${recordLinkPrefix}${uuid}/poster.jpg`),
    played: file && opened(file, place === 'server' ? '' : 'via=server'),
    location: place === 'bucket' ? object : `${directory}/${uuid}/${mp4 ? 'index.mp4' : ''}`,
    preview: mp4 ?? `/tools/player.html?url=${encodeURIComponent(playlist)}`,
  };
}
