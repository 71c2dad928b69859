import { describe, expect, it } from 'vitest';
import { parseBasicCredentials } from './credentials.ts';
import { writeRtspResponse } from './rtsp-message.ts';
import { isControlUrl, parseRtspUrl } from './rtsp-url.ts';

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('writeRtspResponse', () => {
  it('writes status, CSeq, headers and a body with its length in bytes', () => {
    const response = { status: 200, headers: { Session: 'abc;timeout=60', Public: 'OPTIONS' }, body: 'é' };
    expect(writeRtspResponse(response, '7').toString()).toBe(
      'RTSP/1.0 200 OK\r\nCSeq: 7\r\nSession: abc;timeout=60\r\nPublic: OPTIONS\r\nContent-Length: 2\r\n\r\né',
    );
  });

  it('omits CSeq in the response to a request without it, and writes an unknown status', () => {
    expect(writeRtspResponse({ status: 461 }, '').toString()).toBe('RTSP/1.0 461 Unsupported Transport\r\n\r\n');
    expect(writeRtspResponse({ status: 599 }, '').toString()).toBe('RTSP/1.0 599 Error\r\n\r\n');
  });

  it('replaces line breaks of a client in header values', () => {
    const text = writeRtspResponse({ status: 200, headers: { Location: 'a\r\nb\nc' } }, '1\r\nX: y').toString();
    expect(text).toBe('RTSP/1.0 200 OK\r\nCSeq: 1 X: y\r\nLocation: a b c\r\n\r\n');
  });
});

describe('parseBasicCredentials', () => {
  it.each([
    [basic('user:pass'), { user: 'user', password: 'pass' }],
    [`basic   ${Buffer.from('u:p').toString('base64')} `, { user: 'u', password: 'p' }],
    [basic(':only'), { user: '', password: 'only' }],
    [basic('live:a:b:c'), { user: 'live', password: 'a:b:c' }],
    [basic('ü:密码'), { user: 'ü', password: '密码' }],
  ])('%s', (header, expected) => {
    expect(parseBasicCredentials(header)).toEqual(expected);
  });

  it.each([
    undefined,
    '',
    'Basic',
    'Basic !!',
    basic('without a colon'),
    'Digest username="u"',
    'Basic dTpw extra',
    'xBasic dTpw',
  ])('refuses %s', (header) => {
    expect(parseBasicCredentials(header)).toBeUndefined();
  });
});

describe('an RTSP URL', () => {
  it('is percent-decoded; invalid encodings stay unchanged', () => {
    expect(parseRtspUrl('rtsp://h/live/a%20b')).toMatchObject({ app: 'live', stream: 'a b' });
    expect(parseRtspUrl('rtsp://h/live/50%')).toMatchObject({ app: 'live', stream: '50%' });
    expect(parseRtspUrl('rtsp://h')).toEqual({ app: '', stream: '', param: '' });
  });

  it.each([
    ['rtsp://h/live/s/trackID=1', 'trackID=1', true],
    ['rtsp://h/live/s/trackID=1/', 'trackID=1', true],
    ['rtsp://h/live/s/trackID=1', '/trackID=1', true],
    ['rtsp://camera/track1', 'rtsp://camera/track1', true],
    ['rtsp://h/live/s/trackID=11', 'trackID=1', false],
    ['rtsp://h/live/s', '', false],
    ['rtsp://h/live/s/*', '*', false],
  ])('%s is the control URL %s: %s', (url, control, expected) => {
    expect(isControlUrl(url, control)).toBe(expected);
  });
});
