import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { hostPorts, replaceCandidates, toCandidateAddress } from './candidates.ts';
import { chooseH264, chooseOpus } from './codec-choice.ts';
import { parseSdpOffer } from './sdp-offer.ts';

const chromium = readFileSync(join(import.meta.dirname, 'testdata/chromium-156-offer.sdp'), 'utf8');

describe("Chromium's offer", () => {
  const offer = parseSdpOffer(chromium);

  it('has bundled audio and video', () => {
    expect(offer.isBundled).toBe(true);
    expect(
      offer.sections.map(({ kind, mid, direction, hasRtcpMux }) => ({ kind, mid, direction, hasRtcpMux })),
    ).toEqual([
      { kind: 'audio', mid: '0', direction: 'recvonly', hasRtcpMux: true },
      { kind: 'video', mid: '1', direction: 'recvonly', hasRtcpMux: true },
    ]);
  });

  it('offers Opus and H.264 with packetization mode 1 in several profiles', () => {
    expect(chooseOpus(offer.sections[0]!.payloads)).toMatchObject({ payloadType: 111, channels: 2 });
    const video = offer.sections[1]!.payloads;
    expect(chooseH264(video, 66)?.payloadType).toBe(102);
    expect(chooseH264(video, 77)?.payloadType).toBe(116);
    expect(chooseH264(video, 100)?.payloadType).toBe(41);
  });

  it('is parsed equally with CRLF', () => {
    expect(parseSdpOffer(chromium.replaceAll('\n', '\r\n'))).toEqual(offer);
  });
});

describe('invalid offers', () => {
  it.each(['', 'hello', 'v=0\r\ns=-\r\n', `v=0\n${'m=audio 9 x 1\n'.repeat(20)}`, `v=0\n${'a'.repeat(70_000)}`])(
    '%#',
    (text) => {
      expect(() => parseSdpOffer(text)).toThrow(ProtocolError);
    },
  );

  it('throw only ProtocolError', () => {
    const lines = chromium.split('\n');
    fc.assert(
      fc.property(
        fc.array(fc.nat(lines.length - 1), { maxLength: 60 }),
        fc.string({ maxLength: 20 }),
        (picks, junk) => {
          try {
            parseSdpOffer(['v=0', ...picks.map((index) => lines[index]!), junk].join('\n'));
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        },
      ),
      { numRuns: 300, seed: 4 },
    );
  });
});

describe('candidates of an offer', () => {
  it("give the host's ports, even when the address is hidden", () => {
    const line = (port: number, rest = 'typ host generation 0') =>
      `a=candidate:1 1 udp 2113937151 3f0c.local ${port} ${rest}\r\n`;
    const offer = `v=0\r\n${line(50_001)}${line(50_002)}${line(7, 'typ srflx raddr 0.0.0.0 rport 0')}`;
    expect([...hostPorts(offer)]).toEqual([50_001, 50_002]);
    expect(hostPorts(chromium).size).toBe(0);
    expect(hostPorts(Array.from({ length: 1000 }, (_, index) => line(index)).join('')).size).toBe(32);
  });
});

describe('candidates of an answer', () => {
  const answer = [
    'v=0',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'a=candidate:1 1 UDP 2122317823 10.0.0.5 8000 typ host',
    'a=candidate:2 1 UDP 2122317311 172.17.0.1 8000 typ host',
    'a=candidate:3 1 TCP 1686108671 10.0.0.5 9 typ host tcptype active',
    'a=end-of-candidates',
    '',
  ].join('\r\n');

  it('become the addresses that peers can reach', () => {
    const lines = replaceCandidates(answer, [{ ip: '203.0.113.9' }, { ip: '10.0.0.5', port: 18_000 }], {
      udp: 8_000,
    }).split('\r\n');
    expect(lines.filter((line) => line.startsWith('a=candidate'))).toEqual([
      'a=candidate:1 1 udp 2130706431 203.0.113.9 8000 typ host',
      'a=candidate:2 1 udp 2130706175 10.0.0.5 18000 typ host',
    ]);
    expect(lines).toContain('a=end-of-candidates');
  });

  it('have a second line for TCP, with the port of the address only if TCP and UDP share a port number', () => {
    const given = [{ ip: '203.0.113.9' }, { ip: '10.0.0.5', port: 18_000 }];
    const tcpLines = (tcp: number) =>
      replaceCandidates(answer, given, { udp: 8_000, tcp })
        .split('\r\n')
        .filter((line) => line.includes('tcptype'));
    expect(tcpLines(8_000)).toEqual([
      'a=candidate:3 1 tcp 1520435199 203.0.113.9 8000 typ host tcptype passive',
      'a=candidate:4 1 tcp 1520434943 10.0.0.5 18000 typ host tcptype passive',
    ]);
    expect(tcpLines(443)).toEqual([
      'a=candidate:3 1 tcp 1520435199 203.0.113.9 443 typ host tcptype passive',
      'a=candidate:4 1 tcp 1520434943 10.0.0.5 443 typ host tcptype passive',
    ]);
  });

  it('are unchanged when no address is known', () => {
    expect(replaceCandidates(answer, [], { udp: 8_000 })).toBe(answer);
  });

  describe('if the library found none', () => {
    const media = ['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=mid:0'];
    const without = ['v=0', ...media, 'm=video 9 UDP/TLS/RTP/SAVPF 96', 'a=mid:1', ''].join('\r\n');
    const offered = (addresses: readonly { ip: string }[], boundPort: number) =>
      replaceCandidates(without, addresses, { udp: boundPort })
        .split('\r\n')
        .filter((line) => line.startsWith('a=candidate'));

    it('are the known addresses, at the shared port, once', () => {
      expect(offered([{ ip: '203.0.113.9' }], 8_000)).toEqual([
        'a=candidate:1 1 udp 2130706431 203.0.113.9 8000 typ host',
      ]);
      expect(replaceCandidates(without, [{ ip: '203.0.113.9' }], { udp: 8_000 })).toMatch(
        /a=mid:0\r\na=candidate:1 .*\r\nm=video/,
      );
    });

    it('are loopback when no address is known, and none without a shared port', () => {
      expect(offered([], 8_000)).toEqual(['a=candidate:1 1 udp 2130706431 127.0.0.1 8000 typ host']);
      expect(offered([{ ip: '203.0.113.9' }], 0)).toEqual([]);
    });
  });

  it.each([
    'evil.example',
    '1.2.3.4\r\na=ice-lite',
    '1.2.3',
    '1.2.3.4.5',
    '256.1.1.1',
    '010.0.0.1',
    '0x7f.1',
    '2130706433',
    'fe80::1%eth0',
    ':::',
    '1.2.3.4:0',
    '1.2.3.4:65536',
    '1.2.3.4 typ',
    '',
  ])('%j is not an address for an answer', (text) => {
    const answer = 'm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=candidate:1 1 udp 1 10.0.0.1 8000 typ host';
    expect(replaceCandidates(answer, [toCandidateAddress(text)], { udp: 8_000 })).toBe(answer);
    expect(
      replaceCandidates(answer, [text, '203.0.113.9'].map(toCandidateAddress), { udp: 8_000 }).split('\r\n'),
    ).toEqual(['m=video 9 UDP/TLS/RTP/SAVPF 96', 'a=candidate:1 1 udp 2130706431 203.0.113.9 8000 typ host']);
  });

  it('an answer has a bounded number of addresses, including IPv6', () => {
    const answer = 'a=candidate:1 1 udp 1 10.0.0.1 8000 typ host';
    const many = Array.from({ length: 1_000 }, (_, index) => `[2001:db8::${index.toString(16)}]:9000`);
    const lines = replaceCandidates(answer, many.map(toCandidateAddress), { udp: 8_000 }).split('\r\n');
    expect(lines).toHaveLength(16);
    expect(lines[1]).toContain(' 2001:db8::1 9000 typ host');
  });
});
