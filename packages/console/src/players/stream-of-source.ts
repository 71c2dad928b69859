// Determines the live stream that an address belongs to.
import { sourceNameOf } from '@srs-stack/contract/rendition-name.ts';
import type { MediaSource } from './media-url.ts';
import { pathOnServer } from './server-root.ts';

export interface NamedStream {
  readonly app: string;
  readonly stream: string;
}

/** Undefined if the address is not a live stream, for example a recording. A rendition belongs to its source stream. */
export function streamOfSource({ url: address, kind }: MediaSource): NamedStream | undefined {
  const url = new URL(address);
  if (kind === 'whep') {
    return named(url.searchParams.get('app') ?? 'live', url.searchParams.get('stream') ?? 'livestream');
  }
  const known = pathOnServer(url.pathname);
  if (known.startsWith('/terraform/')) return undefined;
  const path = known.replace(ofManyRenditions, '.m3u8');
  const [, app, stream] = /^\/(.+)\/([^/]+?)(?:\.(?:ll|rewind)(?=\.m3u8$))?\.[A-Za-z0-9]+$/.exec(path) ?? [];
  return app !== undefined && stream !== undefined ? named(app, stream) : undefined;
}

/** Path ending of a multivariant playlist, which follows the stream name: `/live/show/master.m3u8`. */
const ofManyRenditions = /(?<=^\/.+\/[^/]+)\/master\.m3u8$/;

function named(app: string, stream: string): NamedStream {
  return { app: decodeURIComponent(app), stream: sourceNameOf(decodeURIComponent(stream)) };
}
