// Opened and closed sessions leave no resources of the operating system or the library.
import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { call, loopbackRtc, playOffer, type RtcRig, startRtc } from './rtc-rig.ts';
import { until } from './rtmp-server.ts';

let rig: RtcRig;

const sessions = 60;

/** Handles of the event loop. Each handler of the library uses a handle, and libuv visits all handles for every datagram. */
function asyncHandles(): number {
  const { libuv } = process.report.getReport() as unknown as { libuv: { type: string }[] };
  return libuv.filter(({ type }) => type === 'async').length;
}

const openFiles = (): number => readdirSync('/proc/self/fd').length;

async function openAndClose(path: string, offer: string): Promise<void> {
  const { status, location } = await call(rig.port, path, { body: offer });
  expect(status).toBe(201);
  await call(rig.port, location, { method: 'DELETE' });
}

describe.each([['the built-in transport'], ['node-datachannel']] as const)('by %s', (name) => {
  beforeEach(async () => {
    const transport = name === 'node-datachannel' ? { transport: name } : {};
    rig = await startRtc({ options: { rtc: { ...loopbackRtc, ...transport } } });
  });

  afterEach(() => rig.close());

  it.each([
    ['player', '/rtc/v1/whep/?stream=s', playOffer],
    ['publisher', '/rtc/v1/whip/?stream=s', playOffer.replaceAll('recvonly', 'sendonly')],
  ])('a %s that leaves releases every handle', async (_who, path, offer) => {
    await openAndClose(path, offer);
    await until(() => asyncHandles() <= 8);
    const before = { handles: asyncHandles(), files: openFiles() };
    for (let session = 0; session < sessions; session++) await openAndClose(path, offer);
    await until(() => asyncHandles() <= before.handles);
    expect(openFiles()).toBeLessThanOrEqual(before.files + 1);
  });

  it('an offer that the library refuses releases every handle', async () => {
    const refused = playOffer.replace(/a=fingerprint:.*\n/g, 'a=fingerprint:sha-256 nonsense\n');
    const before = asyncHandles();
    for (let session = 0; session < sessions; session++) {
      expect((await call(rig.port, '/rtc/v1/whep/?stream=s', { body: refused })).status).toBe(400);
    }
    await until(() => asyncHandles() <= before);
  });
});
