import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { parseSrtAddress } from './srt-address.ts';

describe('SRT stream ids', () => {
  it.each([
    ['#!::r=live/s,m=publish', 'publish', 'live', 's', ''],
    ['#!::r=live/s', 'unnamed', 'live', 's', ''],
    ['#!::r=live/s,latency=20,m=request', 'request', 'live', 's', 'latency=20'],
    ['#!::r=live/s?secret=X,m=publish', 'publish', 'live', 's', 'secret=X'],
    ['#!::secret=X,r=live/s,a=1,m=PUBLISH', 'publish', 'live', 's', 'a=1&secret=X'],
    ['#!::h=example.org,r=live/s,secret=X,m=publish', 'publish', 'live', 's', 'secret=X&vhost=example.org'],
    ['#!::h=live/s,m=publish', 'publish', 'live', 's', ''],
    ['#!::h=example.org/live/s,m=publish', 'publish', 'live', 's', 'vhost=example.org'],
    ['#!::r=/app/sub/s', 'unnamed', 'app/sub', 's', ''],
    ['live/s', 'unnamed', 'live', 's', ''],
    ['#!::r=live/s?watch=b&watch=a,m=request', 'request', 'live', 's', 'watch=a&watch=b'],
    ['s', 'unnamed', 'live', 's', ''],
    ['#!::r=live%2Fs,m=publish', 'publish', 'live', 's', ''],
    ['#!::r=live/a%,m=publish', 'publish', 'live', 'a%', ''],
    ['#!::R=live/s, M=publish\n', 'publish', 'live', 's', ''],
    ['live%2Fs', 'unnamed', 'live', 's', ''],
  ])('%s', (streamId, mode, app, stream, param) => {
    expect(parseSrtAddress(streamId)).toEqual({ mode, vhost: '__defaultVhost__', app, stream, param });
  });

  it.each(['', '#!::m=publish', '#!::r=live/,m=publish', '#!::r=live/s,m=bidirectional'])(
    '%j is refused',
    (streamId) => {
      expect(() => parseSrtAddress(streamId)).toThrow(ProtocolError);
    },
  );
});
