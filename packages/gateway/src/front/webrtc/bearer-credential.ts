// Converts `Authorization: Bearer` of WHIP and WHEP (RFC 9725 §4.8) to the query parameter that callbacks and rules expect. The credential
// is a publisher's publish secret or stream key, or a viewer's signed link.
import { parseWatchValue, watchParameter } from '@srs-stack/playback/access/watch-link.ts';

/** Longest credential, characters. The longest signed link has about 800. */
const maxCredentialLength = 1_024;
const bearer = /^bearer +([A-Za-z0-9._~+/-]+=*) *$/i;
/** Calls with plain SDP as body. */
export const sdpPath = /^\/rtc\/v1\/(whip|whep|whip-play)\/?$/;

/** Adds the credential to the URL of an offer. A credential in the query takes precedence. */
export function withBearer(url: string, authorization: string | undefined): string {
  const credential = bearer.exec(authorization ?? '')?.[1];
  if (credential === undefined || credential.length > maxCredentialLength) return url;
  const { pathname, searchParams: query } = URL.parse(url, 'http://localhost') ?? new URL('http://localhost');
  const call = sdpPath.exec(pathname)?.[1];
  if (call === undefined) return url;
  const isPublish = call === 'whip' && query.get('action') !== 'play';
  // Players may send tokens of other services, so a viewer's credential must have the format of a signed link.
  if (!isPublish && !parseWatchValue(credential)) return url;
  const name = isPublish ? 'secret' : watchParameter;
  if (query.has(name)) return url;
  return `${url}${url.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(credential)}`;
}
