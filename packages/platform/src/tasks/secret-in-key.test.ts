import { describe, expect, it } from 'vitest';
import { secretPlace, withPublishSecret } from './secret-in-key.ts';

const old = '0123456789abcdef';
const next = 'new & one';
const rtmp = 'rtmp://127.0.0.1/live/';

describe('the publish secret in the address of a target', () => {
  it.each([
    [
      { server: rtmp, secret: `s?secret=${old}` },
      { server: rtmp, secret: 's?secret=new%20%26%20one' },
    ],
    [
      { server: rtmp, secret: `s?a=1&secret=${old}&b=2` },
      { server: rtmp, secret: 's?a=1&secret=new%20%26%20one&b=2' },
    ],
    [
      { server: `${rtmp}s?secret=${old}`, secret: '' },
      { server: `${rtmp}s?secret=new%20%26%20one`, secret: '' },
    ],
    [
      { server: 'srt://127.0.0.1:10080', secret: `?streamid=#!::r=live/s,secret=${old},m=publish` },
      { server: 'srt://127.0.0.1:10080', secret: '?streamid=#!::r=live/s,secret=new%20%26%20one,m=publish' },
    ],
    [
      { server: `srt://127.0.0.1:10080?streamid=%23!::r=live/s%2Csecret%3D${old}%2Cm=publish`, secret: '' },
      {
        server: 'srt://127.0.0.1:10080?streamid=%23!::r=live/s%2Csecret%3Dnew%2520%2526%2520one%2Cm=publish',
        secret: '',
      },
    ],
    // The parameter contains the secret, so an equal stream name stays unchanged.
    [
      { server: rtmp, secret: `${old}?secret=${old}` },
      { server: rtmp, secret: `${old}?secret=new%20%26%20one` },
    ],
  ])('as a parameter of %j is replaced', (address, changed) => {
    expect(secretPlace(address, old)).toBe('parameter');
    expect(withPublishSecret(address, old, next)).toEqual(changed);
    expect(secretPlace(changed, next)).toBe('parameter');
    expect(secretPlace(changed, old)).not.toBe('parameter');
  });

  it.each([
    { server: rtmp, secret: `s?secret=${old}x` },
    { server: rtmp, secret: `s?mysecret=${old}` },
    { server: rtmp, secret: `s?key=${old}` },
    { server: rtmp, secret: 's?secret=%E0%A4%A' },
    { server: rtmp, secret: '' },
  ])('is not in %j', (address) => {
    expect(secretPlace(address, old)).toBeUndefined();
    expect(withPublishSecret(address, old, next)).toEqual(address);
  });

  it('is detected in the name of a stream, which is not changed', () => {
    const address = { server: rtmp, secret: `cam-${old}` };
    expect(secretPlace(address, old)).toBe('name');
    expect(withPublishSecret(address, old, next)).toEqual(address);
  });
});
