// The warm-up at start is not reported to the host and leaves no resources.
import { readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { loopbackRtc, type RtcRig, startRtc } from './rtc-rig.ts';

let rig: RtcRig;

afterEach(() => rig.close());

const sockets = (): number => readdirSync('/proc/self/fd').length;

it.each([['127.0.0.1'], ['0.0.0.0'], ['::']])('a warm-up at %s is not reported', async (host) => {
  rig = await startRtc({ options: { rtc: { ...loopbackRtc, host } } });
  const before = sockets();
  await rig.listener.warmUp();
  expect(rig.details).toEqual([]);
  expect({ played: rig.played, ended: rig.ended, refusals: rig.refusals, errors: rig.errors }).toEqual({
    ...{ played: [], ended: [], refusals: [], errors: [] },
  });
  expect(rig.listener.sessionCount).toBe(0);
  expect(sockets()).toBe(before);
});

it('there is no warm-up with the library, nor after the port is closed', async () => {
  rig = await startRtc({ options: { rtc: { ...loopbackRtc, transport: 'node-datachannel' } } });
  await rig.listener.warmUp();
  rig.listener.close();
  await rig.listener.warmUp();
  expect(rig.details).toEqual([]);
});
