import { describe, expect, it } from 'vitest';
import { parseStreamAddress, type StreamAddress } from './stream-url.ts';

type Row = [tcUrl: string, app: string, name: string, expected: Partial<StreamAddress>];

const host = 'rtmp://host/live';
const rows: Row[] = [
  [host, 'live', 's', { vhost: 'host', app: 'live', stream: 's', param: '' }],
  [host, 'live', 's?secret=X', { app: 'live', stream: 's', param: '?secret=X' }],
  [host, 'live', 's?a=1&secret=X', { stream: 's', param: '?a=1&secret=X' }],
  ['rtmp://h/live?k=v', 'live?k=v', 's', { app: 'live', stream: 's', param: '?k=v' }],
  ['rtmp://h/live?k=v', 'live?k=v', 's?a=1', { app: 'live', stream: 's', param: '?k=v&a=1' }],
  ['rtmp://h/live?secret=X', 'live', 's', { app: 'live', stream: 's', param: '?secret=X' }],
  ['rtmp://h/live?secret=X', 'live?a=1', 's', { app: 'live', stream: 's', param: '?a=1' }],
  ['rtmp://h/live?secret=X', 'live', 's?a=1', { stream: 's', param: '?secret=X&a=1' }],
  ['rtmp://h/live?vhost=v', 'live', 's', { vhost: 'v', app: 'live' }],
  ['rtmp://h/live#k=v', 'live#k=v', 's', { app: 'live', stream: 's', param: '?k=v' }],
  [host, 'live', 's#secret=X', { stream: 's', param: '?secret=X' }],
  ['rtmp://h/app/sub', 'app/sub', 's', { app: 'app/sub', stream: 's' }],
  ['rtmp://h/app', 'app', 'sub/s', { app: 'app/sub', stream: 's' }],
  ['rtmp://h/app', 'app', 'sub/s?secret=a/b', { app: 'app/sub', stream: 's', param: '?secret=a/b' }],
  ['rtmp://h/live/', 'live/', '/s', { app: 'live', stream: 's' }],
  ['rtmp://h:1936/live', '', 's', { vhost: 'h', app: 'live', stream: 's' }],
  ['rtmp://[::1]:1935/live', 'live', 's', { vhost: '[::1]' }],
  [host, 'live', 's?vhost=v.example', { vhost: 'v.example', param: '?vhost=v.example' }],
  [host, 'live', 's?domain=d.example', { vhost: 'd.example' }],
  [host, 'live?vhost=v', 's', { vhost: 'v', app: 'live', param: '?vhost=v' }],
  [host, 'live...vhost...v', 's', { vhost: 'v', app: 'live', stream: 's', param: '?vhost=v' }],
  [host, 'live/_definst_', 's', { app: 'live', stream: 's' }],
  [host, 'live', '_definst_/s', { app: 'live', stream: 's' }],
  [host, 'live', '%E6%B5%81', { stream: '流' }],
  [host, 'live', 'a%', { stream: 'a%' }],
  [host, 'live', 'a%2Fb', { stream: 'a/b' }],
  [host, 'live', '', { app: '', stream: 'live' }],
  ['', '', '', { vhost: '', app: '', stream: '', param: '' }],
  ['nonsense', 'live', 's', { vhost: '', app: 'live' }],
];

describe('stream address', () => {
  it.each(rows)('%s app %s stream %s', (tcUrl, app, name, expected) => {
    expect(parseStreamAddress(tcUrl, app, name)).toMatchObject(expected);
  });
});
