// The credentials that viewers may present, and the documented result of each credential for each access rule
// (docs/how-to/restrict-playback.md).
import { createHmac } from 'node:crypto';

/**
 * Streams, each with a different access rule. The operator's service decides about `asked`, `fresh` and `nobody`. The
 * service refuses `nobody`, and sets no validity for `fresh`.
 */
export const ways = ['open', 'signed', 'locked', 'asked', 'fresh', 'nobody'] as const;
export type Way = (typeof ways)[number];

/**
 * `valid`: opens the stream. `unsigned`: no valid signature, so the operator's service decides.
 * `refused`: valid signature, but a pattern of other streams, a start far in the future, or a link that is sent twice.
 */
type Proof = 'missing' | 'valid' | 'expired' | 'unsigned' | 'refused';

export interface Right {
  readonly name: string;
  readonly query: string;
  readonly proof: Proof;
}

export interface WatchKey {
  readonly id: string;
  readonly secret: string;
}

interface Claims {
  readonly stream: string;
  readonly expires: number;
  readonly starts?: number;
  readonly address?: string;
  /** Pattern in the link, signed in place of the stream's name. */
  readonly pattern?: string;
}

export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** Signs a link as programs of operators do, with only the documented rule. */
export function link({ id, secret }: WatchKey, { stream, expires, starts, address, pattern }: Claims): string {
  const text = ['watch', pattern ?? `live/${stream}`, expires, starts ?? '', address ?? ''].join('\n');
  const parts = [
    ...[id, expires],
    ...(starts === undefined ? [] : [`s${starts}`]),
    ...(address === undefined ? [] : ['a']),
    ...(pattern === undefined ? [] : [`p${Buffer.from(pattern).toString('base64url')}`]),
    createHmac('sha256', secret).update(text).digest('hex'),
  ];
  return `watch=${parts.join('.')}`;
}

export interface RightsOf {
  readonly stream: Way;
  readonly key: WatchKey;
  readonly revoked: WatchKey;
  readonly console: string;
  /** Query that a viewer received for the password of the stream `locked`. */
  readonly unlocked: string;
}

/** All credentials that a client may send for one stream. */
export function rightsOf({ stream, key, revoked, console, unlocked }: RightsOf): Right[] {
  const expires = inSeconds(600);
  const good = link(key, { stream, expires });
  const other = ways.find((way) => way !== stream)!;
  const changed = good.replace(`.${expires}.`, `.${expires + 1}.`);
  const row = (name: string, query: string, proof: Proof): Right => ({ name, query, proof });
  return [
    row('nothing', '', 'missing'),
    row('a parameter of the operator', 'guest=7', 'missing'),
    row('a signed link', good, 'valid'),
    row('a link for a pattern', link(key, { stream, expires, pattern: 'live/*' }), 'valid'),
    row('a link for this address', link(key, { stream, expires, address: '127.0.0.1' }), 'valid'),
    row('a start 20 seconds ahead', link(key, { stream, expires, starts: inSeconds(20) }), 'valid'),
    row('the query of the console', console, console === '' ? 'missing' : 'valid'),
    row('the query for the password', unlocked, stream === 'locked' ? 'valid' : 'unsigned'),
    row('an expired link', link(key, { stream, expires: inSeconds(-1) }), 'expired'),
    row('a forged link', `watch=${key.id}.${expires}.${'0'.repeat(64)}`, 'unsigned'),
    row('a link with another expiry', changed, 'unsigned'),
    row('a truncated link', good.slice(0, -1), 'unsigned'),
    row('a link for another stream', link(key, { stream: other, expires }), 'unsigned'),
    row('a link for another address', link(key, { stream, expires, address: '203.0.113.9' }), 'unsigned'),
    row('a link by a revoked key', link(revoked, { stream, expires }), 'unsigned'),
    row('a start 10 minutes ahead', link(key, { stream, expires: inSeconds(1_200), starts: expires }), 'refused'),
    row('a pattern of other streams', link(key, { stream, expires, pattern: `live/${other}*` }), 'refused'),
    row('the same link twice', `${good}&${good}`, 'refused'),
  ];
}

/**
 * Returns `plays` or the name of the refusal. @param isFile whether the output is a file that a playlist lists. The
 * operator's service is not called for such files.
 */
export function promised(way: Way, proof: Proof, isFile: boolean): string {
  if (way === 'open' || proof === 'valid') return 'plays';
  if (proof === 'refused') return 'link-wrong';
  const isAsked = way !== 'signed' && way !== 'locked';
  if (isAsked && isFile) return 'link-wrong';
  if (isAsked) return way === 'nobody' ? 'callback-refused' : 'plays';
  if (proof === 'missing') return way === 'locked' ? 'password-missing' : 'link-missing';
  return proof === 'expired' ? 'link-expired' : 'link-wrong';
}
