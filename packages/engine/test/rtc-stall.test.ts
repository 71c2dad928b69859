// A stall of the process does not count as silence of its peers.
import { afterEach, expect, it, vi } from 'vitest';
import { call, playOffer, type RtcRig, startRtc } from './rtc-rig.ts';

const publishOffer = playOffer.replaceAll('recvonly', 'sendonly');
let rig: RtcRig | undefined;

afterEach(() => rig?.close());

it('after a stall, a peer has its usual timeout, not a longer one', async () => {
  let nowMs = 0;
  let looks = 0;
  const clock = (): number => {
    looks += 1;
    return nowMs;
  };
  rig = await startRtc({ options: { clock } });
  const { listener, port } = rig;
  /** Advances the clock. Resolves with the number of sessions after the sessions were checked at the new time. */
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

it('a publisher that sent nothing before the stall is replaced by one after it, as in every protocol', async () => {
  let nowMs = 0;
  rig = await startRtc({ options: { clock: () => nowMs } });
  const { port } = rig;
  const publish = async () => (await call(port, '/rtc/v1/whip/?stream=s', { body: publishOffer })).status;
  expect(await publish()).toBe(201);
  expect(await publish()).toBe(409);
  nowMs += 3_600_000;
  expect(await publish()).toBe(201);
});
