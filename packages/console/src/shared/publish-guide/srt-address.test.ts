import { buildAddresses } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { rtcFirewallPort, srtFirewallPort } from './firewall-ports.ts';
import { srtCommandLines } from './srt-commands.ts';
import { srtParts } from './srt-parts.ts';

const addressesOf = (hostname: string, srtPort = '10080', secret = 'abc123') =>
  buildAddresses({
    hostname,
    scheme: 'http',
    pagePort: '2022',
    rtmpPort: '1935',
    srtPort,
    httpPort: '',
    app: 'live',
    stream: 'livestream',
    secret,
  });

describe('parts of an SRT address', () => {
  it.each([
    ['example.com', '10080', 'example.com', '10080'],
    ['10.0.0.7', '20080', '10.0.0.7', '20080'],
    ['::1', '', '::1', '10080'],
    ['[fe80::1]', '10080', 'fe80::1', '10080'],
  ])('of %s port "%s" are host %s and port %s', (hostname, srtPort, host, port) => {
    expect(srtParts(addressesOf(hostname, srtPort))).toEqual({
      host,
      port,
      publishStreamId: '#!::r=live/livestream?secret=abc123,m=publish',
      playStreamId: '#!::r=live/livestream,latency=20,m=request',
    });
  });
});

describe('firewall ports', () => {
  it('are those of the addresses and the environment', () => {
    expect(srtFirewallPort(addressesOf('::1', '20080'))).toBe('UDP/20080');
    expect(rtcFirewallPort({ rtcPort: '18000' })).toBe('UDP/18000');
    expect(rtcFirewallPort({ rtcPort: '' })).toBe('UDP/8000');
  });
});

describe('SRT command lines', () => {
  it('quote the address for a shell', () => {
    const lines = srtCommandLines(addressesOf('example.com'));
    expect(lines.ffmpegFile).toBe(
      "ffmpeg -re -i source.mp4 -c copy -pes_payload_size 0 -f mpegts 'srt://example.com:10080?streamid=#!::r=live/livestream?secret=abc123,m=publish'",
    );
    expect(lines.ffplay).toBe(
      "ffplay -fflags nobuffer -flags low_delay 'srt://example.com:10080?streamid=#!::r=live/livestream,latency=20,m=request'",
    );
  });

  it('quotes a secret with quotes safely, and omits it from addresses of viewers', () => {
    const lines = srtCommandLines(addressesOf('example.com', '10080', "it's $HOME"));
    expect(lines.ffmpegTestPattern).toMatch(/ 'srt:[^' ]+'$/);
    expect(lines.ffplay).not.toContain('HOME');
  });
});
