import { describe, expect, it } from 'vitest';
import {
  type AddressInput,
  type AddressSet,
  buildAddresses,
  commandLines,
  quoteArgument,
  streamPath,
  wordpressShortcodes,
} from './addresses.ts';

const plain: AddressInput = {
  hostname: 'live.example.com',
  scheme: 'http',
  pagePort: '2022',
  rtmpPort: '1935',
  srtPort: '10080',
  httpPort: '',
  app: 'live',
  stream: 'livestream',
  secret: 'abc123',
};

describe('address set', () => {
  it('lists every address of a stream with default ports and a secret', () => {
    expect(buildAddresses(plain)).toEqual({
      streamPath: 'live/livestream',
      rtmpServer: 'rtmp://live.example.com/live/',
      rtmpsServer: '',
      rtmpStreamKey: 'livestream?secret=abc123',
      rtmpPublishUrl: 'rtmp://live.example.com/live/livestream?secret=abc123',
      rtmpPlayUrl: 'rtmp://live.example.com/live/livestream',
      rtspPublishUrl: '',
      rtspPlayUrl: '',
      srtPublishUrl: 'srt://live.example.com:10080?streamid=#!::r=live/livestream?secret=abc123,m=publish',
      srtPlayUrl: 'srt://live.example.com:10080?streamid=#!::r=live/livestream,latency=20,m=request',
      flvUrl: 'http://live.example.com:2022/live/livestream.flv',
      m3u8Url: 'http://live.example.com:2022/live/livestream.m3u8',
      lowLatencyM3u8Url: 'http://live.example.com:2022/live/livestream.ll.m3u8',
      rtcUrl: 'webrtc://live.example.com:2022/live/livestream',
      rtcPublishUrl: 'webrtc://live.example.com:2022/live/livestream?secret=abc123',
      whipUrl: 'http://live.example.com:2022/rtc/v1/whip/?app=live&stream=livestream&secret=abc123',
      whepUrl: 'http://live.example.com:2022/rtc/v1/whep/?app=live&stream=livestream',
      flvPlayer: '/tools/player.html?url=http://live.example.com:2022/live/livestream.flv',
      hlsPlayer: '/tools/player.html?url=http://live.example.com:2022/live/livestream.m3u8',
      lowLatencyHlsPlayer: '/tools/player.html?url=http://live.example.com:2022/live/livestream.ll.m3u8',
      flvAlternatePlayer: '/tools/xgplayer.html?url=http://live.example.com:2022/live/livestream.flv',
      hlsAlternatePlayer: '/tools/xgplayer.html?url=http://live.example.com:2022/live/livestream.m3u8',
      rtcPlayer: '/players/whep.html?schema=http&port=2022&api=2022&autostart=true&stream=livestream',
      rtcPublisher: '/players/whip.html?schema=https&port=2022&api=2022&autostart=true&stream=livestream&secret=abc123',
      watchPage: 'http://live.example.com:2022/watch/live/livestream',
      cnConsole: '/console/ng_index.html#/summaries?port=2022&http=2022',
      enConsole: '/console/en_index.html#/summaries?port=2022&http=2022',
      transcodeStreamName: 'livestream-trans',
      transcodeStreamKey: 'livestream-trans?secret=abc123',
      transcodeFlvPlayer: '/tools/player.html?url=http://live.example.com:2022/live/livestream-trans.flv',
    } satisfies AddressSet);
  });

  it('contains no secret when publishing requires none', () => {
    const set = buildAddresses({ ...plain, secret: '' });
    expect(JSON.stringify(set)).not.toContain('secret');
    expect(set.rtmpStreamKey).toBe('livestream');
    expect(set.srtPublishUrl).toBe('srt://live.example.com:10080?streamid=#!::r=live/livestream,m=publish');
  });

  it('never includes the publish secret in a play address', () => {
    const set = buildAddresses({ ...plain, rtspPort: '8554', secret: 'TOPSECRET' });
    const forPublishers = new Set<keyof AddressSet>([
      'rtmpStreamKey',
      'rtmpPublishUrl',
      'rtspPublishUrl',
      'srtPublishUrl',
      'rtcPublishUrl',
      'whipUrl',
      'rtcPublisher',
      'transcodeStreamKey',
    ]);
    const leaking = (Object.keys(set) as (keyof AddressSet)[]).filter((name) => set[name].includes('TOPSECRET'));
    expect(new Set(leaking)).toEqual(forPublishers);
  });
});

describe('ports', () => {
  it.each([
    [{ rtmpPort: '1935' }, 'rtmpServer', 'rtmp://live.example.com/live/'],
    [{ rtmpPort: '' }, 'rtmpServer', 'rtmp://live.example.com/live/'],
    [{ rtmpPort: '11935' }, 'rtmpServer', 'rtmp://live.example.com:11935/live/'],
    [{ rtmpsPort: '1936' }, 'rtmpsServer', 'rtmps://live.example.com:1936/live/'],
    [{ rtmpsPort: '443' }, 'rtmpsServer', 'rtmps://live.example.com/live/'],
    [{ rtmpsPort: '' }, 'rtmpsServer', ''],
    [{ rtspPort: '8554' }, 'rtspPublishUrl', 'rtsp://live.example.com:8554/live/livestream?secret=abc123'],
    [{ rtspPort: '554' }, 'rtspPlayUrl', 'rtsp://live.example.com/live/livestream'],
    [{ rtspPort: '' }, 'rtspPublishUrl', ''],
    [
      { srtPort: '20080' },
      'srtPlayUrl',
      'srt://live.example.com:20080?streamid=#!::r=live/livestream,latency=20,m=request',
    ],
    [{ srtPort: '' }, 'srtPlayUrl', 'srt://live.example.com:10080?streamid=#!::r=live/livestream,latency=20,m=request'],
    [{ pagePort: '' }, 'flvUrl', 'http://live.example.com/live/livestream.flv'],
    [{ pagePort: '80' }, 'flvUrl', 'http://live.example.com/live/livestream.flv'],
    [{ pagePort: '', scheme: 'https' }, 'm3u8Url', 'https://live.example.com/live/livestream.m3u8'],
    [{ pagePort: '443', scheme: 'https' }, 'm3u8Url', 'https://live.example.com/live/livestream.m3u8'],
    [{ pagePort: '2443', scheme: 'https' }, 'flvUrl', 'https://live.example.com:2443/live/livestream.flv'],
    [{ pagePort: '5173', httpPort: '2022' }, 'flvUrl', 'http://live.example.com:2022/live/livestream.flv'],
    [{ pagePort: '5173', httpPort: '80' }, 'flvUrl', 'http://live.example.com/live/livestream.flv'],
    [{ pagePort: '8443', httpPort: '443', scheme: 'https' }, 'rtcUrl', 'webrtc://live.example.com/live/livestream'],
    [{ pagePort: '', scheme: 'https' }, 'enConsole', '/console/en_index.html#/summaries?port=443&http=443'],
    [{ pagePort: '' }, 'rtcPlayer', '/players/whep.html?schema=http&port=80&api=80&autostart=true&stream=livestream'],
  ] as const)('with %o gives %s', (change, name, expected) => {
    expect(buildAddresses({ ...plain, ...change })[name]).toBe(expected);
  });
});

describe('hosts, names and virtual hosts', () => {
  it.each(['::1', '[::1]'])('puts the IPv6 host %s in brackets', (hostname) => {
    const set = buildAddresses({ ...plain, hostname });
    expect(set.rtmpServer).toBe('rtmp://[::1]/live/');
    expect(set.srtPlayUrl).toContain('srt://[::1]:10080?');
    expect(set.flvUrl).toBe('http://[::1]:2022/live/livestream.flv');
    expect(set.rtcUrl).toBe('webrtc://[::1]:2022/live/livestream');
    expect(new URL(set.flvUrl).hostname).toBe('[::1]');
  });

  it('percent-encodes non-ASCII names for browsers, not for encoders', () => {
    const set = buildAddresses({ ...plain, stream: '直播间' });
    expect(set.rtmpStreamKey).toBe('直播间?secret=abc123');
    expect(set.flvUrl).toBe('http://live.example.com:2022/live/%E7%9B%B4%E6%92%AD%E9%97%B4.flv');
    expect(new URL(set.flvPlayer, 'http://x').searchParams.get('url')).toBe(set.flvUrl);
  });

  it('supports an app with several path segments', () => {
    const set = buildAddresses({ ...plain, app: 'live/sport' });
    expect(set.rtmpServer).toBe('rtmp://live.example.com/live/sport/');
    expect(set.flvUrl).toBe('http://live.example.com:2022/live/sport/livestream.flv');
    expect(new URL(set.whepUrl).searchParams.get('app')).toBe('live/sport');
    expect(set.rtcPlayer).toContain('&app=live/sport&');
  });

  it('includes a non-default virtual host in every address', () => {
    const set = buildAddresses({ ...plain, vhost: 'a.example' });
    expect(set.streamPath).toBe('a.example/live/livestream');
    expect(set.rtmpStreamKey).toBe('livestream?vhost=a.example&secret=abc123');
    expect(set.srtPublishUrl).toContain('#!::h=a.example,r=live/livestream?secret=abc123,m=publish');
    expect(set.flvUrl).toBe('http://live.example.com:2022/live/livestream.flv?vhost=a.example');
    expect(new URL(set.flvPlayer, 'http://x').searchParams.get('url')).toBe(set.flvUrl);
    expect(new URL(set.whepUrl).searchParams.get('vhost')).toBe('a.example');
  });

  it.each([
    [{ app: 'live', stream: 's' }, 'live/s'],
    [{ app: 'live', stream: 's', vhost: '' }, 'live/s'],
    [{ app: 'live', stream: 's', vhost: '__defaultVhost__' }, 'live/s'],
    [{ app: 'live', stream: 's', vhost: 'v.example' }, 'v.example/live/s'],
  ])('path of %o is %s', (key, expected) => {
    expect(streamPath(key)).toBe(expected);
  });
});

describe('secrets with characters reserved in URLs', () => {
  const secrets = ['a&b=c', 'a b+c', '100%', 'a#b?c/d', "it's(*)!", 'a,b', '"q"', '密码'];

  it.each(secrets)('%s can be parsed from every publish address', (secret) => {
    const set = buildAddresses({ ...plain, secret });
    expect(new URLSearchParams(set.rtmpStreamKey.split('?')[1]).get('secret')).toBe(secret);
    expect(new URL(set.whipUrl).searchParams.get('secret')).toBe(secret);
    expect(new URL(set.rtcPublisher, 'http://x').searchParams.get('secret')).toBe(secret);
    const streamId = set.srtPublishUrl.split('streamid=')[1] ?? '';
    const parts = streamId.replace('#!::', '').split(/[,?]/);
    const value = parts.find((part) => part.startsWith('secret='))?.slice('secret='.length) ?? '';
    expect(decodeURIComponent(value)).toBe(secret);
    expect(parts).toHaveLength(3);
  });

  it.each(secrets)('%s cannot break out of a command line or short code', (secret) => {
    const set = buildAddresses({ ...plain, secret });
    expect(commandLines(set).ffmpegFile).toMatch(/ -f flv "rtmp:[^"$`\\! ]+"$/);
    expect(wordpressShortcodes(set).publisher).toMatch(/^\[srs_publisher url="[^"\]]+"\]$/);
  });
});

describe('derived texts', () => {
  it('returns the short codes of the WordPress plug-in', () => {
    expect(wordpressShortcodes(buildAddresses(plain))).toEqual({
      flv: '[srs_player url="http://live.example.com:2022/live/livestream.flv"]',
      hls: '[srs_player url="http://live.example.com:2022/live/livestream.m3u8"]',
      webrtc: '[srs_player url="webrtc://live.example.com:2022/live/livestream"]',
      publisher: '[srs_publisher url="webrtc://live.example.com:2022/live/livestream?secret=abc123"]',
    });
  });

  it('quotes the address in command lines', () => {
    const lines = commandLines(buildAddresses(plain));
    expect(lines.ffmpegFile).toBe(
      'ffmpeg -re -i source.mp4 -c copy -f flv "rtmp://live.example.com/live/livestream?secret=abc123"',
    );
    expect(lines.ffplayFlv).toContain('"http://live.example.com:2022/live/livestream.flv"');
    expect(lines.ffmpegTestPattern).toContain('testsrc2');
  });

  it.each([
    ['a b', '"a b"'],
    ['srt://h:1?streamid=#!::r=a', "'srt://h:1?streamid=#!::r=a'"],
    ["it's $HOME", String.raw`'it'\''s $HOME'`],
  ])('quotes %s as %s', (argument, quoted) => {
    expect(quoteArgument(argument)).toBe(quoted);
  });
});

it('every play address of a protected stream contains the access token; no publish address does', () => {
  const set = buildAddresses({
    ...{
      hostname: 'live.example.com',
      scheme: 'https',
      pagePort: '',
      rtmpPort: '1935',
      srtPort: '10080',
      httpPort: '',
    },
    ...{ app: 'live', stream: 'paid', secret: 'topsecret', watchQuery: 'watch=k1.2.3' },
  });
  const carrying = Object.entries(set).filter(([, url]) => /watch(?:=|%3D)k1\.2\.3/.test(url));
  expect(carrying.map(([name]) => name).sort()).toEqual([
    ...['flvAlternatePlayer', 'flvPlayer', 'flvUrl', 'hlsAlternatePlayer', 'hlsPlayer', 'lowLatencyHlsPlayer'],
    ...['lowLatencyM3u8Url', 'm3u8Url', 'rtcPlayer', 'rtcUrl', 'rtmpPlayUrl', 'srtPlayUrl'],
    ...['transcodeFlvPlayer', 'watchPage', 'whepUrl'],
  ]);
  expect(set.srtPlayUrl).toBe(
    'srt://live.example.com:10080?streamid=#!::r=live/paid,latency=20,watch=k1.2.3,m=request',
  );
  expect(set.whepUrl).toBe('https://live.example.com/rtc/v1/whep/?app=live&stream=paid&watch=k1.2.3');
});
