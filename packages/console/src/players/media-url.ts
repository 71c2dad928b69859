// Parses the media address of a player page. Accepts only http(s), ws(s) and webrtc, and formats that browsers play.
import { givenAddress } from './server-root.ts';
import { parseRtcAddress } from './webrtc/rtc-address.ts';

export type MediaKind = 'flv' | 'ts' | 'hls' | 'whep';

export interface MediaSource {
  url: string;
  kind: MediaKind;
  /** HLS rendition with this height in pixels; 0 is audio only. If undefined, the bandwidth decides. */
  height?: number;
  /** HLS distance to the live edge, seconds, at the start and during playback. */
  behindSeconds?: number;
}

/**
 * `mixed-content`: an https page may not load http media. `kind`: the format is not FLV, TS, HLS or WHEP. `socket-kind`: WebSocket does not
 * support HLS.
 */
export type MediaUrlProblem = 'missing' | 'invalid' | 'scheme' | 'kind' | 'socket-kind' | 'mixed-content';

export type ParsedMediaUrl = { ok: true; source: MediaSource } | { ok: false; problem: MediaUrlProblem };

const webSchemes = ['http:', 'https:', 'ws:', 'wss:'];
const kindOfExtension: Readonly<Record<string, MediaKind>> = { flv: 'flv', ts: 'ts', m3u8: 'hls' };

/** Maximum address length, characters. Browsers and proxies truncate longer addresses. */
const maxUrlLength = 2048;

/** Validates and classifies an address, which may be relative to `pageUrl`. Never throws. */
export function parseMediaUrl(text: string, pageUrl: string): ParsedMediaUrl {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, problem: 'missing' };
  if (trimmed.length > maxUrlLength || !URL.canParse(trimmed, pageUrl)) return { ok: false, problem: 'invalid' };
  if (isWhep(trimmed, pageUrl)) return parseWhepUrl(trimmed, pageUrl);
  const url = givenAddress(trimmed, pageUrl);
  if (!webSchemes.includes(url.protocol)) return { ok: false, problem: 'scheme' };
  const kind = kindOfPath(url.pathname);
  if (kind === undefined) return { ok: false, problem: 'kind' };
  const isSocket = url.protocol.startsWith('ws');
  if (kind === 'hls' && isSocket) return { ok: false, problem: 'socket-kind' };
  if (isMixedContent(url, new URL(pageUrl))) return { ok: false, problem: 'mixed-content' };
  return { ok: true, source: { url: url.href, kind } };
}

/** The HLS address of an FLV stream, for browsers that cannot play FLV; undefined for other streams. */
export function hlsSibling(source: MediaSource): string | undefined {
  if (source.kind !== 'flv') return undefined;
  const url = new URL(source.url);
  url.protocol = url.protocol.replace('ws', 'http');
  url.pathname = url.pathname.replace(/\.flv$/i, '.m3u8');
  return url.href;
}

/** Whether the address is `webrtc://` or has a WHEP path. */
function isWhep(text: string, pageUrl: string): boolean {
  return /^webrtc:\/\//i.test(text) || /\/(whep|whip-play)\/?$/i.test(new URL(text, pageUrl).pathname);
}

function parseWhepUrl(text: string, pageUrl: string): ParsedMediaUrl {
  const parsed = parseRtcAddress(text, new URL(pageUrl), 'whep');
  return parsed.ok ? { ok: true, source: { url: parsed.url, kind: 'whep' } } : parsed;
}

function kindOfPath(pathname: string): MediaKind | undefined {
  const extension = /\.([a-z0-9]+)$/i.exec(pathname)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(kindOfExtension, extension) ? kindOfExtension[extension] : undefined;
}

/** Loopback over http is allowed from an https page, because browsers trust loopback (Secure Contexts §3.1). */
function isMixedContent(url: URL, page: URL): boolean {
  if (page.protocol !== 'https:' || url.protocol === 'https:' || url.protocol === 'wss:') return false;
  return !['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}
