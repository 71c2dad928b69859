import { describe, expect, it } from 'vitest';
import { hlsSibling, parseMediaUrl } from './media-url.ts';

const page = 'http://example.com:2022/tools/player.html';
const securePage = 'https://example.com/tools/player.html';

describe('address of a player page', () => {
  it.each([
    ['http://a.b/live/s.flv', 'flv', 'http://a.b/live/s.flv'],
    [' https://a.b/live/s.m3u8?hls_ctx=1#t ', 'hls', 'https://a.b/live/s.m3u8?hls_ctx=1#t'],
    ['ws://a.b/live/s.flv', 'flv', 'ws://a.b/live/s.flv'],
    ['wss://a.b/live/s.TS', 'ts', 'wss://a.b/live/s.TS'],
    ['/live/s.flv', 'flv', 'http://example.com:2022/live/s.flv'],
    ['http://a.b/live/直播.flv', 'flv', 'http://a.b/live/%E7%9B%B4%E6%92%AD.flv'],
    [
      '<img src=x onerror=alert(1)>.flv',
      'flv',
      'http://example.com:2022/tools/%3Cimg%20src=x%20onerror=alert(1)%3E.flv',
    ],
  ])('accepts %s as %s', (text, kind, url) => {
    expect(parseMediaUrl(text, page)).toEqual({ ok: true, source: { kind, url } });
  });

  it.each([
    ['', 'missing'],
    ['   ', 'missing'],
    ['http://', 'invalid'],
    [`http://a.b/${'x'.repeat(2100)}.flv`, 'invalid'],
    ['javascript:alert(1)//s.flv', 'scheme'],
    ['data:video/x-flv;base64,AAAA.flv', 'scheme'],
    ['file:///etc/passwd.flv', 'scheme'],
    ['blob:http://a.b/s.flv', 'scheme'],
    ['rtmp://a.b/live/s.flv', 'scheme'],
    ['http://a.b/live/s', 'kind'],
    ['http://a.b/live/s.mp4', 'kind'],
    ['http://a.b/live/?x=s.flv', 'kind'],
    ['http://a.b/live/s.constructor', 'kind'],
    ['ws://a.b/live/s.m3u8', 'socket-kind'],
  ])('refuses %s as %s', (text, problem) => {
    expect(parseMediaUrl(text, page)).toEqual({ ok: false, problem });
  });

  it.each([
    ['http://a.b/live/s.flv', false],
    ['ws://a.b/live/s.flv', false],
    ['https://a.b/live/s.flv', true],
    ['wss://a.b/live/s.flv', true],
    ['http://127.0.0.1:8080/live/s.flv', true],
    ['/live/s.flv', true],
  ])('on an https page %s opens: %s', (text, opens) => {
    const parsed = parseMediaUrl(text, securePage);
    expect(parsed.ok).toBe(opens);
    expect(parsed.ok || parsed.problem === 'mixed-content').toBe(true);
  });
});

describe('HLS address of the same stream', () => {
  it.each([
    ['http://a.b:1/live/s.flv?vhost=v', 'http://a.b:1/live/s.m3u8?vhost=v'],
    ['wss://a.b/live/s.FLV', 'https://a.b/live/s.m3u8'],
  ])('of %s is %s', (url, sibling) => {
    expect(hlsSibling({ kind: 'flv', url })).toBe(sibling);
  });

  it('exists for FLV only', () => {
    expect(hlsSibling({ kind: 'hls', url: 'http://a.b/live/s.m3u8' })).toBeUndefined();
  });
});

describe('WebRTC addresses', () => {
  it.each([
    ['http://host:2022/rtc/v1/whep/?app=live&stream=a', 'http://host:2022/rtc/v1/whep/?app=live&stream=a'],
    ['webrtc://host:2022/live/a', 'http://host:2022/rtc/v1/whep/?app=live&stream=a'],
    ['http://other:8889/lobby/whep', 'http://other:8889/lobby/whep'],
  ])('%s is played by WHEP', (text, url) => {
    expect(parseMediaUrl(text, 'http://host:2022/tools/player.html')).toEqual({
      ok: true,
      source: { url, kind: 'whep' },
    });
  });

  it('may not be plain http on an encrypted page', () => {
    expect(parseMediaUrl('http://other/rtc/v1/whep/', 'https://host/x')).toEqual({
      ok: false,
      problem: 'mixed-content',
    });
  });
});
