// Publisher authentication of Adobe and Limelight servers. The server rejects connect with a challenge in the description. The client
// connects again and appends the response to the query.
import { createHash } from 'node:crypto';
import type { PublishCredentials } from './publish-address.ts';

export type ChallengeResponse =
  /** Connect again and append `query` to `app` and `tcUrl`. */
  | { readonly kind: 'retry'; readonly query: string }
  /** The server rejects user and password, or requires credentials that are not configured. */
  | { readonly kind: 'refused' }
  /** The rejection is unrelated to authentication. */
  | { readonly kind: 'none' };

type AuthMode = 'adobe' | 'llnw';

/** Number of requests with the same nonce. Each connection sends only one request. */
const nonceCount = '00000001';
const limelightRealm = 'live';
const clientChallengeBytes = 4;

export interface ChallengeOptions {
  readonly description: string;
  readonly app: string;
  readonly credentials: PublishCredentials | undefined;
  readonly random: (bytes: number) => Buffer;
}

/** Decides how the client reacts to a rejection of connect. */
export function respondToChallenge({ description, app, credentials, random }: ChallengeOptions): ChallengeResponse {
  const mode = /\bauthmod=(adobe|llnw)\b/i.exec(description)?.[1]?.toLowerCase() as AuthMode | undefined;
  if (mode === undefined) return { kind: 'none' };
  if (!credentials || /\breason=(authfailed|nosuchuser)\b/i.test(description)) return { kind: 'refused' };
  const query = new URLSearchParams(/\?(.*)$/s.exec(description)?.[1]?.replaceAll('+', '%2B') ?? '');
  const field = (name: string): string => (query.get(name) ?? '').trim();
  const user = encodeURIComponent(credentials.user);
  if (field('reason') !== 'needauth') return { kind: 'retry', query: `authmod=${mode}&user=${user}` };
  const own = random(clientChallengeBytes).toString('hex');
  const parameters =
    mode === 'adobe' ? adobeResponse(field, credentials, own) : limelightResponse(field, { app, credentials, own });
  return { kind: 'retry', query: `authmod=${mode}&user=${user}&${parameters}` };
}

function adobeResponse(field: (name: string) => string, { user, password }: PublishCredentials, own: string): string {
  const [salt, challenge, opaque] = [field('salt'), field('challenge'), field('opaque')];
  const secret = md5(user, salt, password).toString('base64');
  const response = md5(secret, opaque || challenge, own).toString('base64');
  return `challenge=${own}&response=${response}${opaque === '' ? '' : `&opaque=${opaque}`}`;
}

/** HTTP Digest (RFC 2617 §3.2.2); the resource is the application. An application without an instance gets the default instance. */
function limelightResponse(
  field: (name: string) => string,
  { app, credentials, own }: { app: string; credentials: PublishCredentials; own: string },
): string {
  const nonce = field('nonce');
  const { user, password } = credentials;
  const secret = md5(`${user}:${limelightRealm}:${password}`).toString('hex');
  const resource = md5(`publish:/${app}${app.includes('/') ? '' : '/_definst_'}`).toString('hex');
  const response = md5(`${secret}:${nonce}:${nonceCount}:${own}:auth:${resource}`).toString('hex');
  return `nonce=${nonce}&cnonce=${own}&nc=${nonceCount}&response=${response}`;
}

function md5(...parts: string[]): Buffer {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
