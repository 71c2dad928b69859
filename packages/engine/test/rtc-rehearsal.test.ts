// What a server plays to itself before anybody comes: nobody is told, nothing is left.
import { readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { loopbackRtc, type RtcRig, startRtc } from './rtc-rig.ts';

let rig: RtcRig;

afterEach(() => rig.close());

const sockets = (): number => readdirSync('/proc/self/fd').length;

it.each([['127.0.0.1'], ['0.0.0.0'], ['::']])('a rehearsal at %s is heard of by nobody', async (host) => {
  rig = await startRtc({ options: { rtc: { ...loopbackRtc, host } } });
  const before = sockets();
  await rig.listener.rehearse();
  expect(rig.details).toEqual([]);
  expect({ played: rig.played, ended: rig.ended, refusals: rig.refusals, errors: rig.errors }).toEqual({
    ...{ played: [], ended: [], refusals: [], errors: [] },
  });
  expect(rig.listener.sessionCount).toBe(0);
  expect(sockets()).toBe(before);
});

it('where the library carries WebRTC, and once the port is closed, there is none', async () => {
  rig = await startRtc({ options: { rtc: { ...loopbackRtc, transport: 'node-datachannel' } } });
  await rig.listener.rehearse();
  rig.listener.close();
  await rig.listener.rehearse();
  expect(rig.details).toEqual([]);
});
