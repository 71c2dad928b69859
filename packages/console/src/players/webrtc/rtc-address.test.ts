import { buildAddresses } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { parseRtcAddress, parseRtcQuery, streamOfRtcAddress } from './rtc-address.ts';

const httpPage = new URL('http://host:2022/players/whip.html');
const httpsPage = new URL('https://host:2443/players/whip.html');
const ok = (url: string) => ({ ok: true, url });

describe('WHIP address of a query', () => {
  it.each([
    ['', httpPage, 'http://host:2022/rtc/v1/whip/?app=live&stream=livestream'],
    ['stream=a&secret=s', httpPage, 'http://host:2022/rtc/v1/whip/?app=live&stream=a&secret=s'],
    // On the page's own port, the page's protocol replaces the `https` of the console's link.
    ['schema=https&port=2022&api=2022&stream=a', httpPage, 'http://host:2022/rtc/v1/whip/?app=live&stream=a'],
    ['schema=https&port=2443&api=2443&stream=a', httpsPage, 'https://host:2443/rtc/v1/whip/?app=live&stream=a'],
    [
      'schema=https&port=443&api=443',
      new URL('https://host/x'),
      'https://host/rtc/v1/whip/?app=live&stream=livestream',
    ],
    ['server=other&api=1985', httpPage, 'http://other:1985/rtc/v1/whip/?app=live&stream=livestream'],
    ['server=other', httpPage, 'http://other/rtc/v1/whip/?app=live&stream=livestream'],
    [
      'app=show&vhost=a.b&eip=1.2.3.4',
      httpPage,
      'http://host:2022/rtc/v1/whip/?app=show&stream=livestream&vhost=a.b&eip=1.2.3.4',
    ],
    [
      'vhost=__defaultVhost__&autostart=true&lang=en',
      httpPage,
      'http://host:2022/rtc/v1/whip/?app=live&stream=livestream',
    ],
    ['url=https%3A%2F%2Fother%2Fwhip%2Fx', httpPage, 'https://other/whip/x'],
    ['url=/rtc/v1/whip/?app=live%26stream=a', httpPage, 'http://host:2022/rtc/v1/whip/?app=live&stream=a'],
  ])('"%s"', (query, page, url) => {
    expect(parseRtcQuery(new URLSearchParams(query), page, 'whip')).toEqual(ok(url));
  });

  it('interprets the console’s own links', () => {
    const input = {
      hostname: 'host',
      scheme: 'http',
      pagePort: '2022',
      rtmpPort: '',
      srtPort: '',
      httpPort: '',
    } as const;
    const set = buildAddresses({ ...input, app: 'live', stream: '直播间', secret: 'a&b' });
    const queryOf = (path: string) => new URL(path, httpPage).searchParams;
    expect(parseRtcQuery(queryOf(set.rtcPublisher), httpPage, 'whip')).toMatchObject({ ok: true });
    const publish = parseRtcQuery(queryOf(set.rtcPublisher), httpPage, 'whip');
    const play = parseRtcQuery(queryOf(set.rtcPlayer), httpPage, 'whep');
    expect(publish.ok && new URL(publish.url).searchParams.toString()).toBe(
      new URL(set.whipUrl).searchParams.toString(),
    );
    expect(play.ok && new URL(play.url).searchParams.toString()).toBe(new URL(set.whepUrl).searchParams.toString());
  });
});

describe('addresses', () => {
  it.each([
    ['webrtc://host:2022/live/a?secret=s', httpPage, 'http://host:2022/rtc/v1/whep/?app=live&stream=a&secret=s'],
    ['webrtc://other/live/sport/a', httpsPage, 'https://other/rtc/v1/whep/?app=live%2Fsport&stream=a'],
    ['WEBRTC://other/live/%E7%9B%B4', httpPage, 'http://other/rtc/v1/whep/?app=live&stream=%E7%9B%B4'],
    ['http://127.0.0.1:2022/rtc/v1/whep/', httpsPage, 'http://127.0.0.1:2022/rtc/v1/whep/'],
  ])('%s', (text, page, url) => {
    expect(parseRtcAddress(text, page, 'whep')).toEqual(ok(url));
  });

  it.each([
    ['', 'invalid'],
    ['http://', 'invalid'],
    ['webrtc://', 'invalid'],
    [`http://host/${'x'.repeat(2048)}`, 'invalid'],
    ['javascript:alert(1)', 'scheme'],
    ['rtmp://host/live/a', 'scheme'],
    ['http://other/rtc/v1/whep/', 'mixed-content'],
  ])('refuses "%s" as %s', (text, problem) => {
    expect(parseRtcAddress(text, httpsPage, 'whep')).toEqual({ ok: false, problem });
  });

  it('contain their stream', () => {
    expect(streamOfRtcAddress('http://host/rtc/v1/whip/?app=show&stream=a&secret=s')).toBe('show/a');
    expect(streamOfRtcAddress('http://host/rtc/v1/whip/?stream=a')).toBe('live/a');
    expect(streamOfRtcAddress('http://host:8889/lobby/whip')).toBe('lobby');
  });
});
