// Finds the files of one stream as an authorized viewer. Tests then request these files without authorization.
import { recordLinkPrefix } from '@srs-stack/contract';
import { readPlaylist } from '@srs-stack/media/testing/low-latency-rules.ts';
import { until } from '../until.ts';

export interface Files {
  /** Paths without a credential. Paths of playlists keep the HLS session of the viewer (`hls_ctx`). */
  readonly playlist: string;
  readonly segment: string;
  readonly lowLatency: {
    readonly playlist: string;
    /** Path of a part that does not exist yet. */
    readonly next: () => string;
    readonly init: string;
    readonly segment: string;
    readonly part: string;
  };
  readonly rendition: string;
  readonly rewind: { readonly segment: string; readonly picture: string };
  readonly recorded: { readonly uuid: string; readonly segment: string };
}

export interface Looking {
  readonly url: string;
  readonly stream: string;
  /** Query with a credential that allows every output of the stream. */
  readonly query: string;
  readonly uuid: string;
}

const lines = (playlist: string) => playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
function strip(address: URL): string {
  const context = address.searchParams.get('hls_ctx');
  return address.pathname + (context === null ? '' : `?hls_ctx=${context}`);
}

/** Resolves with the body of a response with status 200, or with undefined. */
async function text(url: URL | string): Promise<string | undefined> {
  const response = await fetch(url);
  const body = await response.text();
  return response.ok ? body : undefined;
}

/** Requests the first address in a playlist. Resolves with this address and the response. */
async function follow(url: URL): Promise<{ url: URL; text: string } | undefined> {
  const outer = await text(url);
  const named = outer && lines(outer)[0];
  if (!named) return undefined;
  const inner = new URL(named, url);
  const body = await text(inner);
  return body === undefined ? undefined : { url: inner, text: body };
}

/** Waits until every kind of file exists. */
export async function findFiles({ url, stream, query, uuid }: Looking): Promise<Files> {
  const at = (path: string) => new URL(`${url}${path}${path.includes('?') ? '&' : '?'}${query}`);
  const media = await until(`HLS of ${stream}`, () => follow(at(`/live/${stream}.m3u8`)));
  const parts = await until(`low-latency HLS of ${stream}`, () => follow(at(`/live/${stream}.ll.m3u8`)));
  const rendition = await until(`a rendition of ${stream}`, async () => {
    const named = await text(at(`/live/${stream}/master.m3u8`));
    const small = named && lines(named).find((line) => line.includes('~144p'));
    const inner = small && new URL(small, at(`/live/${stream}/master.m3u8`));
    const body = inner && (await text(inner));
    return body ? new URL(lines(body).at(-1)!, inner) : undefined;
  });
  const rewound = await until(`the window of ${stream}`, () => follow(at(`/live/${stream}.rewind.m3u8`)));
  const picture = await until(`an image of ${stream}`, async () => {
    const cues = await text(at(`/live/${stream}.rewind.vtt`));
    const name = cues && /^[^\s]+\.jpg.*$/m.exec(cues)?.[0];
    const found = name ? new URL(name, `${url}/live/`) : undefined;
    return found && (await fetch(found)).ok ? found : undefined;
  });
  const recorded = await until(`the recording of ${stream}`, () => text(at(`${recordLinkPrefix}${uuid}.m3u8`)));
  const { segments } = readPlaylist(parts.text);
  const whole = segments.findLast(({ uri }) => uri !== undefined)!;
  const path = (name: string, from: URL) => new URL(name, from).pathname;
  const place = `_HLS_msn=${segments.at(-1)!.sequence}&_HLS_part=${segments.at(-1)!.parts.length}`;
  return {
    playlist: strip(media.url),
    segment: path(lines(media.text).at(-1)!, media.url),
    lowLatency: {
      playlist: strip(parts.url),
      next: () => `${strip(parts.url)}${parts.url.searchParams.has('hls_ctx') ? '&' : '?'}${place}`,
      init: path(whole.map!, parts.url),
      segment: path(whole.uri!, parts.url),
      part: path(segments.flatMap((each) => each.parts).at(-1)!.uri, parts.url),
    },
    rendition: rendition.pathname,
    rewind: { segment: path(lines(rewound.text).at(-1)!, rewound.url), picture: picture.pathname },
    recorded: {
      uuid,
      segment: path(lines(recorded)[0]!, at(`${recordLinkPrefix}${uuid}.m3u8`)).slice(recordLinkPrefix.length),
    },
  };
}
