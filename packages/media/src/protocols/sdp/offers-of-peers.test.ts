// Recorded offers of clients other than Chromium. Each offer must get an answer with video and audio.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { planMedia } from './media-plan.ts';
import { writeSdpAnswer } from './sdp-answer.ts';
import { parseSdpOffer } from './sdp-offer.ts';
import { negotiateSetup, parseOfferTransport } from './sdp-transport.ts';

const baselineProfileIdc = 66;

describe.each([
  { peer: 'firefox-153', mids: ['0', '1'], payloadTypes: [126, 109] },
  { peer: 'gstreamer-1.22', mids: ['video0', 'audio1'], payloadTypes: [96, 97] },
  { peer: 'werift-0.25', mids: ['0', '1'], payloadTypes: [102, 111] },
])('the offer of $peer', ({ peer, mids, payloadTypes }) => {
  const offer = readFileSync(join(import.meta.dirname, `testdata/${peer}-offer.sdp`), 'utf8');
  const plans = planMedia(parseSdpOffer(offer), 'send', baselineProfileIdc);

  it('has H.264 and Opus', () => {
    expect(plans.map(({ codec }) => codec)).toEqual(['h264', 'opus']);
    expect(plans.map(({ mid }) => mid)).toEqual(mids);
    expect(plans.map(({ payloadType }) => payloadType)).toEqual(payloadTypes);
  });

  it('has one transport and leaves the DTLS role to us', () => {
    const { setup, fingerprints, isTrickle } = parseOfferTransport(offer, plans[0]?.mid);
    expect(setup).toBe('actpass');
    expect(negotiateSetup(setup)).toBe('passive');
    expect(fingerprints.map(({ hash }) => hash)).toEqual(['sha-256']);
    expect(isTrickle).toBe(true);
  });

  it('gets an answer with both in one bundle, whatever the ports of its sections', () => {
    const answer = writeSdpAnswer({
      ...{ offer, ufrag: 'abcd', password: '0123456789abcdefghijkl', setup: 'passive', sessionId: 1, cname: 'c' },
      plans: plans.map((plan) => ({ ...plan, direction: 'send', ssrc: 1 })),
      fingerprint: { hash: 'sha-256', digest: Buffer.alloc(32) },
      candidates: [{ ip: '192.0.2.1', port: 8000 }],
    });
    expect(answer).toContain(`a=group:BUNDLE ${mids.join(' ')}\r\n`);
    expect(answer.match(/^m=\S+ 8000 UDP\/TLS\/RTP\/SAVPF \d+/gm)).toHaveLength(2);
  });
});
