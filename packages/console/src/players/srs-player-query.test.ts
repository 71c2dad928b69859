import { describe, expect, it } from 'vitest';
import { parseSrsPlayerQuery, shareLink } from './srs-player-query.ts';

const page = new URL('http://example.com:2022/players/srs_player.html');

describe('query of the SRS player page', () => {
  it.each([
    ['', 'http://example.com:2022/live/livestream.flv', false],
    ['autostart=true', 'http://example.com:2022/live/livestream.flv', true],
    ['app=show&stream=a.m3u8&autostart=true', 'http://example.com:2022/show/a.m3u8', true],
    ['app=live/sub&stream=a', 'http://example.com:2022/live/sub/a.flv', false],
    ['server=media.example&stream=a', 'http://media.example/live/a.flv', false],
    ['server=media.example&port=8080&schema=https', 'https://media.example:8080/live/livestream.flv', false],
    ['port=80', 'http://example.com/live/livestream.flv', false],
    ['schema=ws', 'ws://example.com:2022/live/livestream.flv', false],
    ['vhost=v.example', 'http://example.com:2022/live/livestream.flv?vhost=v.example', false],
    ['vhost=__defaultVhost__', 'http://example.com:2022/live/livestream.flv', false],
    ['vhost=example.com', 'http://example.com:2022/live/livestream.flv', false],
    ['stream=a%2F..%2Fb%3Fx', 'http://example.com:2022/live/a%2F..%2Fb%3Fx.flv', false],
    ['url=https%3A%2F%2Fa.b%2Fx.flv&stream=ignored', 'https://a.b/x.flv', false],
  ])('"%s" opens %s', (query, address, autostart) => {
    expect(parseSrsPlayerQuery(new URLSearchParams(query), page)).toEqual({ address, autostart });
  });

  it('makes a link that opens the same address', () => {
    const address = 'http://a.b/live/s.flv?vhost=v&x=1';
    const link = new URL(shareLink(address, new URL(`${page.href}?stream=old#x`)));
    expect(link.pathname).toBe('/players/srs_player.html');
    expect(parseSrsPlayerQuery(link.searchParams, page)).toEqual({ address, autostart: true });
  });
});
