// Interprets an SRT stream id: publish or play, and the stream (the forms that SRS documents and encoders send).
import { parseStreamId } from '@srs-stack/srt';
import { ProtocolError } from '../../protocol-error.ts';
import { defaultVhost } from '../../stream-key.ts';

export interface SrtAddress {
  /** `unnamed`: the stream id has no mode. */
  readonly mode: 'publish' | 'request' | 'unnamed';
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Parameters in the form of callbacks: `secret=X`, keys in alphabetical order, repeated ones kept, '' if there are none. */
  readonly param: string;
}

const defaultApp = 'live';
/** Keys that identify the stream; all others are parameters. */
const addressKeys: readonly string[] = ['h', 'r', 'm'];

/** Interprets a stream id. Throws ProtocolError with a reason that helps the operator. */
export function parseSrtAddress(streamId: string): SrtAddress {
  const { fields, pairs } = parseStreamId(streamId);
  const mode = fields.get('m')?.toLowerCase();
  if (mode !== undefined && mode !== 'publish' && mode !== 'request')
    throw new ProtocolError('srt', 'the value of m in the stream id must be publish or request');
  const host = fields.get('h') ?? '';
  const resource = fields.get('r') ?? '';
  const named = resource === '' ? splitOldStyle(host) : { vhost: host, path: resource };
  const { vhost, path } = { ...named, path: decoded(named.path) };
  const { app, stream } = splitPath(path);
  if (stream === '')
    throw new ProtocolError('srt', 'the stream id has no stream name: use #!::r=live/livestream,m=publish');
  const params = pairs.filter(([key]) => !addressKeys.includes(key)).map(([key, value]) => `${key}=${value}`);
  if (vhost !== '') params.push(`vhost=${vhost}`);
  // There is one vhost: any other name means the default one, as in a media server without that vhost.
  return { mode: mode ?? 'unnamed', vhost: defaultVhost, app, stream, param: params.sort().join('&') };
}

/** Some encoders escape only the resource: `r=live%2Fs`. Valid names contain no `%`, so it is decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Older encoders put the stream into h: `app/stream` or `vhost/app/stream`. */
function splitOldStyle(host: string): { vhost: string; path: string } {
  const parts = host.split('/');
  return parts.length > 2 ? { vhost: parts[0]!, path: parts.slice(1).join('/') } : { vhost: '', path: host };
}

function splitPath(path: string): { app: string; stream: string } {
  const clean = path.replace(/^\/+/, '');
  const slash = clean.lastIndexOf('/');
  return slash < 0
    ? { app: defaultApp, stream: clean }
    : { app: clean.slice(0, slash), stream: clean.slice(slash + 1) };
}
