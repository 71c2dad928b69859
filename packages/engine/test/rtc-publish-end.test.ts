// The end reason of a WebRTC publisher, which decides how long viewers wait for the next publisher.
import { parseOfferTransport, writeFingerprint } from '@srs-stack/media/protocols/sdp/sdp-transport.ts';
import { RtcGuest } from '@srs-stack/rtc';
import { afterEach, expect, it, vi } from 'vitest';
import { recordingLog } from '../src/testing/recorders.ts';
import { call, loopbackRtc, playOffer, type RtcRig, startRtc } from './rtc-rig.ts';

const path = '/rtc/v1/whip/?stream=s';
const publishOffer = playOffer.replaceAll('recvonly', 'sendonly');
let rig: RtcRig | undefined;
let guest: RtcGuest | undefined;

afterEach(async () => {
  guest?.close();
  await rig?.close();
});

async function start({ clock, transport }: { clock?: () => number; transport?: 'node-datachannel' } = {}) {
  const log = recordingLog();
  const rtc = { ...loopbackRtc, ...(transport && { transport }) };
  rig = await startRtc({ ports: { log }, options: { rtc, ...(clock && { clock }) } });
  const lines = (message: string) => log.fields.filter((_fields, index) => log.lines[index] === `info ${message}`);
  return { rig, lines };
}

async function connect(visitor: RtcGuest, answer: string): Promise<void> {
  const { ufrag, password, fingerprints } = parseOfferTransport(answer);
  const port = Number(/127\.0\.0\.1 (\d+) typ host/.exec(answer)?.[1]);
  await visitor.connect({ ip: '127.0.0.1', port, ufrag, password, digest: fingerprints[0]!.digest });
}

it('an encoder that closes the connection counts as unpublished', async () => {
  const { rig: own, lines } = await start();
  const visitor = new RtcGuest('127.0.0.1');
  guest = visitor;
  const offer = publishOffer
    .replace(/a=ice-ufrag:[^\r\n]*/g, `a=ice-ufrag:${visitor.ufrag}`)
    .replace(/a=ice-pwd:[^\r\n]*/g, `a=ice-pwd:${visitor.password}`)
    .replace(
      /a=fingerprint:[^\r\n]*/g,
      `a=fingerprint:${writeFingerprint({ hash: 'sha-256', digest: visitor.fingerprint })}`,
    );
  await connect(visitor, (await call(own.port, path, { body: offer })).body);
  await vi.waitUntil(() => lines('publish started').length > 0);
  visitor.close();
  await vi.waitUntil(() => lines('publish ended').length > 0);
  expect(lines('publish ended')).toMatchObject([{ stream: 's', reason: 'unpublished' }]);
});

it.each([
  ['the built-in transport', {}],
  ['node-datachannel', { transport: 'node-datachannel' }],
] as const)('with %s, an encoder that ends its session counts as unpublished', async (_name, transport) => {
  const { rig: own, lines } = await start(transport);
  const { location } = await call(own.port, path, { body: publishOffer });
  expect((await call(own.port, location, { method: 'DELETE' })).status).toBe(200);
  expect(lines('publish ended')).toMatchObject([{ reason: 'unpublished' }]);
});

it('a silent encoder is ended, and may return', async () => {
  let nowMs = 0;
  const { rig: own, lines } = await start({ clock: () => nowMs });
  expect((await call(own.port, path, { body: publishOffer })).status).toBe(201);
  // Advances the clock in steps, because a jump would count as a stall of the process.
  await vi.waitUntil(() => {
    nowMs += 500;
    return own.listener.sessionCount === 0;
  });
  expect(lines('publish ended')).toMatchObject([{ reason: 'timeout' }]);
});
