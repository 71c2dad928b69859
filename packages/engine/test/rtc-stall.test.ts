// A process that stood still, stopped or on a machine that was suspended, does not take that for the silence of its peers.
import { afterEach, expect, it, vi } from 'vitest';
import { call, playOffer, type RtcRig, startRtc } from './rtc-rig.ts';

const publishOffer = playOffer.replaceAll('recvonly', 'sendonly');
let rig: RtcRig | undefined;

afterEach(() => rig?.close());

it('a peer has the time it had before, and no longer', async () => {
  let nowMs = 0;
  let looks = 0;
  const clock = (): number => {
    looks += 1;
    return nowMs;
  };
  rig = await startRtc({ options: { clock } });
  const { listener, port } = rig;
  /** After the sessions were looked at, at the new time. */
  const pass = async (ms: number): Promise<number> => {
    nowMs += ms;
    const before = looks;
    await vi.waitUntil(() => looks > before || listener.sessionCount === 0, { interval: 5 });
    return listener.sessionCount;
  };
  await call(port, '/rtc/v1/whip/?stream=s', { body: publishOffer });
  expect(listener.sessionCount).toBe(1);
  expect(await pass(3_600_000)).toBe(1);
  let passedMs = 0;
  while ((await pass(500)) > 0) passedMs += 500;
  expect(passedMs).toBeGreaterThanOrEqual(14_000);
  expect(passedMs).toBeLessThanOrEqual(15_500);
});

it('who sent nothing before the stall makes room for who publishes after it, as with every protocol', async () => {
  let nowMs = 0;
  rig = await startRtc({ options: { clock: () => nowMs } });
  const { port } = rig;
  const publish = async () => (await call(port, '/rtc/v1/whip/?stream=s', { body: publishOffer })).status;
  expect(await publish()).toBe(201);
  expect(await publish()).toBe(409);
  nowMs += 3_600_000;
  expect(await publish()).toBe(201);
});
