// Parses an SRT stream id into mode (publish or play) and stream. Supports the forms that SRS documents and encoders send.
import { parseStreamId } from '@srs-stack/srt';
import { ProtocolError } from '../../protocol-error.ts';
import { defaultVhost } from '../../stream-key.ts';

export interface SrtAddress {
  /** `unnamed`: the stream id has no mode. */
  readonly mode: 'publish' | 'request' | 'unnamed';
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Query parameters, e.g. `secret=X`, and the vhost, in alphabetical order with repetitions; '' for none. */
  readonly param: string;
}

const defaultApp = 'live';
/** Keys that identify the stream. All other keys are parameters. */
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
  // There is only one vhost, so any other name means the default vhost.
  return { mode: mode ?? 'unnamed', vhost: defaultVhost, app, stream, param: params.sort().join('&') };
}

/** Some encoders escape only the resource: `r=live%2Fs`. Decoding is safe, because valid names contain no `%`. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Older encoders send the stream in `h`: `app/stream` or `vhost/app/stream`. */
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
