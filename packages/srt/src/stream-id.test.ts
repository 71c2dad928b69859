import { describe, expect, it } from 'vitest';
import { parseStreamId } from './stream-id.ts';

describe('stream ids as encoders send them', () => {
  it.each([
    ['#!::r=live/s,m=publish', true, { r: 'live/s', m: 'publish' }],
    ['#!::r=live/s?secret=X,m=publish', true, { r: 'live/s', secret: 'X', m: 'publish' }],
    ['#!::h=vhost,r=live/s,k=v', true, { h: 'vhost', r: 'live/s', k: 'v' }],
    ['#!::r=live/s,secret=a=b,m=request', true, { r: 'live/s', secret: 'a=b', m: 'request' }],
    ['live/s', false, { r: 'live/s' }],
    ['live/s?secret=X&m=publish', false, { r: 'live/s', secret: 'X', m: 'publish' }],
    ['', false, { r: '' }],
    ['%23!%3A%3Ar%3Dlive%2Fs%2Cm%3Dpublish', true, { r: 'live/s', m: 'publish' }],
    ['%23!%zz', false, { r: '%23!%zz' }],
    ['#!::r=live/s, m=publish', true, { r: 'live/s', m: 'publish' }],
    [' #!::r=live/s,m=publish\r\n', true, { r: 'live/s', m: 'publish' }],
    ['#!::r=live/s,m=publish\0\0', true, { r: 'live/s', m: 'publish' }],
    ['live/s\n', false, { r: 'live/s' }],
    ['#!::R=live/s,M=publish,Secret=X', true, { r: 'live/s', m: 'publish', secret: 'X' }],
    ['#!::r = live/s , m = publish', true, { r: 'live/s', m: 'publish' }],
    ['#!::r=live/s,Key=a,key=b', true, { r: 'live/s', Key: 'a', key: 'b' }],
    ['#!::,,r=live/s,,', true, { r: 'live/s' }],
  ])('%s', (streamId, isStandard, fields) => {
    const parsed = parseStreamId(streamId);
    expect(parsed.isStandard).toBe(isStandard);
    expect(Object.fromEntries(parsed.fields)).toEqual(fields);
  });
});
