import { expect, test } from 'vitest';
import { outputName, ownOutputStream } from './output-stream.ts';

test.each([
  ['rtmp://host/live/', 'a-trans?secret=x', { app: 'live', stream: 'a-trans' }],
  ['rtmp://host:1936/live', 'a', { app: 'live', stream: 'a' }],
  ['rtmp://LOCALHOST/live', '/a', { app: 'live', stream: 'a' }],
  ['rtmp://127.0.0.1:1935/app/sub/', 'a', { app: 'app/sub', stream: 'a' }],
  ['rtmp://host/live/a', '', { app: 'live', stream: 'a' }],
  ['rtmp://elsewhere/live/', 'a', undefined],
  ['srt://host:10080', 'a', undefined],
  ['rtmp://host/', 'a', undefined],
  ['rtmp://host/live/', '?secret=x', undefined],
  ['', '', undefined],
])('%s + %s', (server, secret, output) => {
  expect(ownOutputStream({ server, secret }, 'host')).toEqual(output);
});

test.each([
  ['rtmp://host/live/', 'a-trans?secret=x', 'live/a-trans'],
  ['rtmp://live.example.com/app/', 'the-key', 'rtmp://live.example.com/app'],
  ['rtmp://live.example.com/app/the-key', '', 'rtmp://live.example.com'],
  ['', '', ''],
])('%s + %s is shown as %s', (server, secret, name) => {
  expect(outputName({ server, secret }, 'host')).toBe(name);
});
