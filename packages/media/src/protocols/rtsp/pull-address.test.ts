import { expect, it } from 'vitest';
import { controlUrl, parsePullAddress } from './pull-address.ts';

it.each([
  ['rtsp://cam', { host: 'cam', port: 554, isTls: false, url: 'rtsp://cam', credentials: undefined }],
  ['rtsps://cam/a', { port: 322, isTls: true, url: 'rtsps://cam/a' }],
  ['RTSP://[fe80::1]:8554/x?y=z', { host: 'fe80::1', port: 8_554, url: 'rtsp://[fe80::1]:8554/x?y=z' }],
  ['rtsp://u:p%40s@cam/a', { credentials: { user: 'u', password: 'p@s' }, url: 'rtsp://cam/a' }],
  ['rtsp://u:p@s:s%@cam:1/a', { credentials: { user: 'u', password: 'p@s:s%' }, host: 'cam', port: 1 }],
  ['rtsp://cam?channel=1', { url: 'rtsp://cam?channel=1' }],
])('parses %s', (text, expected) => {
  expect(parsePullAddress(text)).toMatchObject(expected);
});

it.each([
  '',
  'rtmp://cam/a',
  'rtsp://',
  'rtsp://u@/a',
  'rtsp://cam:0/',
  'rtsp://cam:65536/',
  'rtsp://cam/a b',
  'rtsp://cam/\r\nX: y',
])('refuses %j', (text) => {
  expect(parsePullAddress(text)).toBeUndefined();
});

it.each([
  ['rtsp://h/a/', 'trackID=1', 'rtsp://h/a/trackID=1'],
  ['rtsp://h/a', 'trackID=1', 'rtsp://h/a/trackID=1'],
  ['rtsp://h/a?b=c', '/trackID=1', 'rtsp://h/a?b=c/trackID=1'],
  ['rtsp://h/a', 'rtsp://h/b/1', 'rtsp://h/b/1'],
  ['rtsp://h/a', '*', 'rtsp://h/a'],
])('resolves a control attribute of %s, %s, to %s', (base, control, url) => {
  expect(controlUrl(base, control)).toBe(url);
});
