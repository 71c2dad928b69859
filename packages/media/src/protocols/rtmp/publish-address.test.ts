import { describe, expect, it } from 'vitest';
import { parsePublishAddress } from './publish-address.ts';

const long = 'k'.repeat(512);

describe('address of a publishing client', () => {
  it.each([
    ['rtmp://host/live', 'key', 'host', 1935, 'rtmp://host/live', 'live', 'key'],
    ['rtmp://host/live/', '/a/b?c=d&e=f==', 'host', 1935, 'rtmp://host/live', 'live', 'a/b?c=d&e=f=='],
    ['rtmps://host/live2', 'x y', 'host', 443, 'rtmps://host/live2', 'live2', 'x y'],
    [
      'RTMP://Host:19350/a/b?vhost=v',
      '直播/流',
      'Host',
      19350,
      'rtmp://Host:19350/a/b?vhost=v',
      'a/b?vhost=v',
      '直播/流',
    ],
    ['rtmp://[2001:db8::1]:1936/app', 'k', '2001:db8::1', 1936, 'rtmp://[2001:db8::1]:1936/app', 'app', 'k'],
    ['rtmp://host/app/stream?secret=a/b', '', 'host', 1935, 'rtmp://host/app', 'app', 'stream?secret=a/b'],
    ['rtmp://host', 'app/stream', 'host', 1935, 'rtmp://host/app', 'app', 'stream'],
    ['rtmp://host/live', long, 'host', 1935, 'rtmp://host/live', 'live', long],
  ])('%s and %j', (server, key, host, port, tcUrl, app, streamName) => {
    expect(parsePublishAddress(server, key)).toMatchObject({ host, port, tcUrl, app, streamName });
  });

  it('keeps user and password out of the URL', () => {
    expect(parsePublishAddress('rtmp://me:p%40ss@word:x@host/live', 'k')).toMatchObject({
      tcUrl: 'rtmp://host/live',
      credentials: { user: 'me', password: 'p@ss@word:x' },
    });
  });

  it.each(['http://host/live', 'rtmp://', 'rtmp:///live', 'rtmp://host:70000/live', 'rtmp://host:0/live', 'live'])(
    '%s is invalid',
    (server) => expect(parsePublishAddress(server, 'k')).toBeUndefined(),
  );
});
