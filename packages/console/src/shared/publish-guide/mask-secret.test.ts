import { buildAddresses, commandLines, wordpressShortcodes } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { rtmpFirewallPort } from './firewall-ports.ts';
import { maskSecret } from './mask-secret.ts';

const addressesWith = (secret: string, rtmpPort = '1935') =>
  buildAddresses({
    hostname: 'example.com',
    scheme: 'http',
    pagePort: '2022',
    rtmpPort,
    srtPort: '10080',
    httpPort: '',
    app: 'live',
    stream: 'livestream',
    secret,
  });

describe('masking', () => {
  it.each(['0123456789abcdef', 'a&b c', "it's(*)", '密码'])(
    'hides the secret %s in every text that contains it',
    (secret) => {
      const set = addressesWith(secret);
      const texts = [
        set.rtmpStreamKey,
        set.rtmpPublishUrl,
        set.srtPublishUrl,
        commandLines(set).ffmpegFile,
        wordpressShortcodes(set).publisher,
      ];
      for (const text of texts) {
        const masked = maskSecret(text, secret);
        expect(masked).toContain('secret=******');
        expect(masked).not.toContain(secret);
        expect(masked).not.toContain(encodeURIComponent(secret));
      }
    },
  );

  it('does not change a text without the secret', () => {
    expect(maskSecret('rtmp://example.com/live/', 'abc')).toBe('rtmp://example.com/live/');
    expect(maskSecret('livestream', '')).toBe('livestream');
  });
});

describe('port of the firewall reminder', () => {
  it.each([
    ['1935', 'TCP/1935'],
    ['', 'TCP/1935'],
    ['19350', 'TCP/19350'],
  ])('of RTMP port "%s" is %s', (port, text) => {
    expect(rtmpFirewallPort(addressesWith('', port))).toBe(text);
  });

  it('is not taken from an IPv6 address', () => {
    expect(rtmpFirewallPort({ rtmpServer: 'rtmp://[fe80::1]/live/' })).toBe('TCP/1935');
    expect(rtmpFirewallPort({ rtmpServer: 'rtmp://[fe80::1]:1936/live/sport/' })).toBe('TCP/1936');
  });
});
