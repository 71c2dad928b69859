// Parses HLS playlists as a client (RFC 8216): the variants of a multivariant playlist, or the segments of a media playlist. The caller
// limits the size of the text.
import { ProtocolError } from '../../protocol-error.ts';

export interface HlsVariant {
  readonly uri: string;
  /** Bits per second. */
  readonly bandwidth: number;
  /** CODECS attribute; '' if absent. */
  readonly codecs: string;
  /** Group of separate audio playlists; '' for none. */
  readonly audioGroup: string;
}

export interface HlsSegment {
  readonly uri: string;
  readonly sequence: number;
  readonly durationMs: number;
  /** Timestamps and codecs may differ from the previous segment. */
  readonly isDiscontinuity: boolean;
  /** The server has no media for this segment (`EXT-X-GAP`). */
  readonly isGap: boolean;
}

export interface HlsMediaPlaylist {
  readonly kind: 'media';
  readonly targetDurationMs: number;
  readonly segments: readonly HlsSegment[];
  /** No further segments follow (`EXT-X-ENDLIST`). */
  readonly hasEnded: boolean;
  /** Tag of an unsupported feature; '' for none. Only whole, unencrypted MPEG-TS segments are supported. */
  readonly feature: string;
}

export interface HlsMultivariantPlaylist {
  readonly kind: 'multivariant';
  readonly variants: readonly HlsVariant[];
  readonly separateAudio: ReadonlySet<string>;
}

/** Maximum duration of a segment, milliseconds. A larger value in a playlist is reduced. Real segments last some seconds. */
const maxDurationMs = 600_000;
/** Maximum length of a line with attributes, characters. Parsing time grows with the square of the length. */
const maxAttributesLength = 4_096;
const features = /^#(EXT-X-MAP|EXT-X-BYTERANGE|EXT-X-DEFINE)(?::|$)/;

/** Throws ProtocolError when the text is no playlist, or its variants or target duration are missing. */
export function parseHlsPlaylist(text: string): HlsMediaPlaylist | HlsMultivariantPlaylist {
  if (!/^\uFEFF?#EXTM3U/.test(text)) throw new ProtocolError('hls', 'not an HLS playlist');
  const lines = text.split('\n');
  return /^#EXT-X-STREAM-INF:/m.test(text) ? parseMultivariant(lines) : parseMedia(lines);
}

function parseMultivariant(lines: readonly string[]): HlsMultivariantPlaylist {
  const variants: HlsVariant[] = [];
  const separateAudio = new Set<string>();
  let pending: ReadonlyMap<string, string> | undefined;
  for (const text of lines) {
    const line = text.trim();
    if (line.startsWith('#EXT-X-STREAM-INF:')) pending = attributesOf(line);
    else if (line.startsWith('#EXT-X-MEDIA:')) {
      const media = attributesOf(line);
      if (media.get('TYPE') === 'AUDIO' && media.has('URI')) separateAudio.add(media.get('GROUP-ID') ?? '');
    } else if (pending && line !== '' && !line.startsWith('#')) {
      const bandwidth = Number(pending.get('BANDWIDTH'));
      variants.push({
        uri: line,
        bandwidth: Number.isFinite(bandwidth) ? bandwidth : 0,
        codecs: pending.get('CODECS') ?? '',
        audioGroup: pending.get('AUDIO') ?? '',
      });
      pending = undefined;
    }
  }
  if (variants.length === 0) throw new ProtocolError('hls', 'the multivariant playlist has no variant');
  return { kind: 'multivariant', variants, separateAudio };
}

function parseMedia(lines: readonly string[]): HlsMediaPlaylist {
  const segments: HlsSegment[] = [];
  let [targetDurationMs, sequence, durationMs] = [0, 0, undefined as number | undefined];
  let [isDiscontinuity, isGap, hasEnded, feature] = [false, false, false, ''];
  for (const text of lines) {
    const line = text.trim();
    if (line.startsWith('#EXTINF:')) durationMs = millisecondsOf(line);
    else if (line.startsWith('#EXT-X-TARGETDURATION:')) targetDurationMs = millisecondsOf(line);
    else if (line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) sequence = Number(textAfterColon(line)) || 0;
    else if (line === '#EXT-X-DISCONTINUITY') isDiscontinuity = true;
    else if (line === '#EXT-X-GAP') isGap = true;
    else if (line === '#EXT-X-ENDLIST') hasEnded = true;
    else if (line.startsWith('#')) feature ||= featureOf(line);
    else if (line !== '' && durationMs !== undefined) {
      segments.push({ uri: line, sequence: sequence + segments.length, durationMs, isDiscontinuity, isGap });
      [isDiscontinuity, isGap, durationMs] = [false, false, undefined];
    }
  }
  if (targetDurationMs <= 0) throw new ProtocolError('hls', 'the media playlist has no target duration');
  return { kind: 'media', targetDurationMs, segments, hasEnded, feature };
}

function featureOf(line: string): string {
  if (line.startsWith('#EXT-X-KEY:')) return attributesOf(line).get('METHOD') === 'NONE' ? '' : 'EXT-X-KEY';
  return features.exec(line)?.[1] ?? '';
}

function millisecondsOf(line: string): number {
  const seconds = Number.parseFloat(textAfterColon(line));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, maxDurationMs) : 0;
}

function textAfterColon(line: string): string {
  return line.slice(line.indexOf(':') + 1);
}

/** Attribute list (RFC 8216 §4.2) without quotes; empty for a line that is too long. */
function attributesOf(line: string): ReadonlyMap<string, string> {
  if (line.length > maxAttributesLength) return new Map();
  const pairs = textAfterColon(line).matchAll(/([A-Z0-9-]+)=(?:"([^"]*)"|([^,]*))/g);
  return new Map([...pairs].map(([, name = '', quoted, plain = '']) => [name, quoted ?? plain]));
}
