import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knowsPublishSecret } from './publish-secret-match.ts';

const S = 's3cret';
// Columns: description, param, stream, expected result.
const table: [string, string, string, boolean][] = [
  ['RTMP query', '?secret=s3cret', 'a', true],
  ['RTMP query with more', '?vhost=x&secret=s3cret&upstream=rtc', 'a', true],
  ['SRT parameters', 'latency=20&secret=s3cret', 'a', true],
  ['WHIP query', 'app=live&stream=a&secret=s3cret&eip=1.2.3.4', 'a', true],
  ['percent-encoded', '?secret=s3%63ret', 'a', true],
  ['second of two secrets', '?secret=x&secret=s3cret', 'a', true],
  ['end of the stream name', '', 'livestreams3cret', true],
  ['whole stream name', '', 's3cret', true],
  ['nothing', '', 'a', false],
  ['only a question mark', '?', 'a', false],
  ['empty secret', '?secret=', 'a', false],
  ['wrong secret', '?secret=other', 'a', false],
  ['prefix of the secret', '?secret=s3cre', 'a', false],
  ['secret and more', '?secret=s3cret1', 'a', false],
  ['more before the secret', '?secret=xs3cret', 'a', false],
  ['substring of another value', '?token=s3cret', 'a', false],
  ['substring of the query', '?x=secret=s3cret', 'a', false],
  ['secret as key', '?s3cret', 'a', false],
  ['other spelling of the key', '?SECRET=s3cret', 'a', false],
  ['other spelling of the value', '?secret=S3CRET', 'a', false],
  ['start of the stream name', '', 's3cretlive', true],
  ['middle of the stream name', '', 'as3cretb', true],
  ['split in the stream name', '', 's3c-ret', false],
  ['part of the secret as name', '', 'ret', false],
  ['broken percent encoding', '?secret=%zz', 'a', false],
  ['fifth of many secrets', '?secret=1&secret=2&secret=3&secret=4&secret=s3cret', 'a', false],
];

describe('knowsPublishSecret', () => {
  it.each(table)('%s: %s %s → %s', (_what, param, stream, admitted) => {
    expect(knowsPublishSecret(S, { param, stream })).toBe(admitted);
  });

  it('admits every publisher when the secret is empty', () => {
    expect(knowsPublishSecret('', { param: '', stream: 'a' })).toBe(true);
  });

  it('admits a publisher that sends the secret percent-encoded, and none with another secret', () => {
    const secret = fc.string({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(secret, secret, (own, other) => {
        expect(knowsPublishSecret(own, { param: `?secret=${encodeURIComponent(own)}`, stream: 'x' })).toBe(true);
        fc.pre(
          own !== other &&
            !'stream'.includes(own) &&
            decodeURIComponent(encodeURIComponent(other)) !== own &&
            encodeURIComponent(other) !== own,
        );
        expect(knowsPublishSecret(own, { param: `?secret=${encodeURIComponent(other)}`, stream: 'stream' })).toBe(
          false,
        );
      }),
      { seed: 3 },
    );
  });
});
