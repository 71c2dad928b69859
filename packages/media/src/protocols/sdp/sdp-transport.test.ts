import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProtocolError } from '../../protocol-error.ts';
import { negotiateSetup, parseOfferTransport } from './sdp-transport.ts';

const chromium = readFileSync(join(import.meta.dirname, 'testdata/chromium-156-offer.sdp'), 'utf8');
const chromiumDigest = '65b566d2a29694f903e4e9d29fb2268ff0de2b066a23297a1297c51278f674e0';

const fingerprint = (hash: string, bytes: number, hex = 'AB') =>
  `a=fingerprint:${hash} ${Array(bytes).fill(hex).join(':')}`;
const ice = (ufrag = 'abcd', password = '0123456789abcdefghijkl') => [`a=ice-ufrag:${ufrag}`, `a=ice-pwd:${password}`];
const complete = [...ice(), fingerprint('sha-256', 32), 'a=setup:actpass'];

const offerOf = (head: readonly string[], ...sections: readonly (readonly string[])[]) =>
  [
    ...['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', ...head],
    ...sections.flatMap((lines, index) => ['m=video 9 UDP/TLS/RTP/SAVPF 96', `a=mid:${index}`, ...lines]),
  ].join('\r\n');
const refusal = (text: string) => {
  try {
    parseOfferTransport(text);
  } catch (error) {
    expect(error).toBeInstanceOf(ProtocolError);
    return (error as ProtocolError).reason;
  }
  return 'none';
};

describe('the transport of an offer', () => {
  it("is that of Chromium's first section", () => {
    const digest = Buffer.from(chromiumDigest, 'hex');
    expect(parseOfferTransport(chromium)).toEqual({
      ...{ ufrag: 'EQHq', password: 'eecXZ2Xb1dWk3t7mxSa5zZIl', setup: 'actpass', isTrickle: true, isLite: false },
      fingerprints: [{ hash: 'sha-256', digest }],
    });
  });

  it('is read from the session when the sections lack it, as libdatachannel writes its certificate', () => {
    const offer = offerOf([fingerprint('sha-256', 32), 'a=ice-options:ice2,trickle'], [...ice(), 'a=setup:active'], []);
    expect(parseOfferTransport(offer)).toMatchObject({ ufrag: 'abcd', setup: 'active', isTrickle: true });
    expect(parseOfferTransport(offerOf(complete, []))).toMatchObject({ ufrag: 'abcd', isTrickle: false });
  });

  it('is that of the used section, otherwise of the first section of the bundle', () => {
    const offer = offerOf(['a=group:BUNDLE 1 0'], [...complete, ...ice('efgh')].slice(4), complete, [
      'a=setup:passive',
    ]);
    expect(parseOfferTransport(offer).ufrag).toBe('abcd');
    expect(parseOfferTransport(offer, '0')).toMatchObject({ ufrag: 'efgh', setup: 'actpass' });
    expect(parseOfferTransport(offer, '2')).toMatchObject({ ufrag: 'abcd', setup: 'passive' });
    expect(parseOfferTransport(offer, 'none').ufrag).toBe('abcd');
  });

  it('has only the certificates of the strongest hash', () => {
    const lines = [
      fingerprint('sha-1', 20),
      fingerprint('sha-256', 32),
      fingerprint('SHA-512', 64, '0f'),
      fingerprint('sha-384', 48),
      fingerprint('sha-512', 64, 'FF'),
    ];
    const { fingerprints } = parseOfferTransport(offerOf([], [...ice(), ...lines]));
    expect(fingerprints).toEqual([
      { hash: 'sha-512', digest: Buffer.alloc(64, 0x0f) },
      { hash: 'sha-512', digest: Buffer.alloc(64, 0xff) },
    ]);
  });

  it.each([
    ['no name', [...ice().slice(1), fingerprint('sha-256', 32)], 'no a=ice-ufrag'],
    ['a short name', [...ice('abc'), fingerprint('sha-256', 32)], 'no a=ice-ufrag'],
    ['a long name', [...ice('a'.repeat(257)), fingerprint('sha-256', 32)], 'no a=ice-ufrag'],
    ['a name with a colon', [...ice('ab:cd'), fingerprint('sha-256', 32)], 'no a=ice-ufrag'],
    ['no password', [...ice().slice(0, 1), fingerprint('sha-256', 32)], 'no a=ice-pwd'],
    ['a short password', [...ice('abcd', '0123456789'), fingerprint('sha-256', 32)], 'no a=ice-pwd'],
    ['a long password', [...ice('abcd', 'a'.repeat(257)), fingerprint('sha-256', 32)], 'no a=ice-pwd'],
    ['no certificate', ice(), 'no a=fingerprint'],
    ['a weak hash', [...ice(), fingerprint('sha-1', 20)], 'no a=fingerprint'],
    ['an unknown hash', [...ice(), fingerprint('constructor', 32)], 'no a=fingerprint'],
    ['a hash that is not hexadecimal', [...ice(), 'a=fingerprint:sha-256 xyz'], 'no a=fingerprint'],
    ['a short hash', [...ice(), fingerprint('sha-256', 31)], 'does not have 32 bytes'],
    ['many certificates', [...ice(), ...Array(17).fill(fingerprint('sha-256', 32))], 'too many fingerprints'],
    ['a setup of holdconn', [...ice(), fingerprint('sha-256', 32), 'a=setup:holdconn'], 'actpass, active or passive'],
  ] as const)('is refused with %s', (_, lines, reason) => {
    expect(refusal(offerOf([], lines))).toContain(reason);
  });

  it('is that of an ICE-lite peer if the session contains ice-lite', () => {
    expect(parseOfferTransport(offerOf(['a=ice-lite'], complete))).toMatchObject({ isLite: true, ufrag: 'abcd' });
    expect(parseOfferTransport(offerOf([], [...complete, 'a=ice-lite'])).isLite).toBe(false);
  });

  it('throws only ProtocolError', () => {
    const lines = [...chromium.split('\n'), ...complete, 'a=ice-lite', 'a=setup:', 'a=fingerprint:', 'a=group:BUNDLE'];
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...lines), { maxLength: 40 }),
        fc.string({ maxLength: 30 }),
        fc.option(fc.constantFrom('0', '1', ''), { nil: undefined }),
        (picks, junk, mid) => {
          try {
            parseOfferTransport(['v=0', ...picks, `a=fingerprint:${junk}`].join('\n'), mid);
          } catch (error) {
            expect(error).toBeInstanceOf(ProtocolError);
          }
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });
});

describe('our DTLS role', () => {
  it.each([
    ['actpass', 'passive'],
    ['active', 'passive'],
    ['passive', 'active'],
    [undefined, 'passive'],
  ] as const)('for %s is %s', (offered, answered) => {
    expect(negotiateSetup(offered)).toBe(answered);
  });
});
