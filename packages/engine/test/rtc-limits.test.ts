// Which WebRTC peers are ended at the limit: unconnected peers, oldest first. The newest peer and connected viewers are never ended.
import { afterEach, describe, expect, it } from 'vitest';
import { maxRtcPeers, maxUnjoinedPerAddress, rtcPeerBytes } from '../src/sessions/rtc/rtc-limits.ts';
import type { RtcRequest } from '../src/sessions/rtc/rtc-signalling.ts';
import { call, playOffer, type RtcRig, startRtc } from './rtc-rig.ts';

let rig: RtcRig | undefined;

afterEach(() => rig?.close());

async function start(peers: number): Promise<RtcRig> {
  rig = await startRtc({ options: { memoryBytes: memoryFor(peers) } });
  return rig;
}

const publishOffer = playOffer.replaceAll('recvonly', 'sendonly');
const play = ({ port }: RtcRig) => call(port, '/rtc/v1/whep/?stream=s', { body: playOffer });
const publish = ({ port }: RtcRig, stream: string) =>
  call(port, `/rtc/v1/whip/?stream=${stream}`, { body: publishOffer });
/** Memory of a machine that allows this number of peers. */
const memoryFor = (peers: number): number => peers * rtcPeerBytes * 4;

describe('memory for WebRTC', () => {
  it.each([
    [1024, 873],
    [8192, 6990],
  ])('of %i MB allows %i peers', (megabytes, peers) => {
    expect(maxRtcPeers(megabytes * 1024 * 1024)).toBe(peers);
  });

  it('used by peers that never connected is freed for the next', async () => {
    const rig = await start(3);
    for (let peer = 0; peer < 5; peer++) {
      rig.ip = `192.0.2.${peer}`;
      expect((await play(rig)).status).toBe(201);
    }
    expect(rig.listener.sessionCount).toBe(3);
    expect(rig.ended.map(({ ip }) => ip)).toEqual(['192.0.2.0', '192.0.2.1']);
  });

  it('used by publishers is not taken from them', async () => {
    const rig = await start(2);
    for (const stream of ['a', 'b']) expect((await publish(rig, stream)).status).toBe(201);
    expect((await play(rig)).status).toBe(503);
    expect(rig.refusals).toMatchObject([{ reason: 'limit-reached', action: 'play' }]);
    expect(rig.listener.sessionCount).toBe(2);
  });

  it('is not given to peers that the host refuses', async () => {
    rig = await startRtc({
      options: { memoryBytes: memoryFor(1) },
      ports: {
        authorizePlay: async ({ param }) =>
          param.includes('guess')
            ? { allowed: false, reason: 'link-wrong', detail: 'the key is wrong' }
            : { allowed: true },
      },
    });
    expect((await play(rig)).status).toBe(201);
    const refused = await call(rig.port, '/rtc/v1/whep/?stream=s&guess=1', { body: playOffer });
    expect([refused.status, rig.listener.sessionCount, rig.ended]).toEqual([403, 1, []]);
  });

  it('is freed by every peer that leaves, is refused or disconnects', async () => {
    const rig = await start(1);
    for (let round = 0; round < 3; round++) {
      const { status, location } = await publish(rig, 'a');
      expect(status).toBe(201);
      expect((await play(rig)).status).toBe(503);
      await call(rig.port, location, { method: 'DELETE' });
      expect((await call(rig.port, '/rtc/v1/whip/?stream=a', { body: 'v=0' })).status).toBe(406);
      expect((await play(rig)).status).toBe(201); // replaced by the publisher of the next round
    }
  });
});

it('an address at its limit of unconnected peers loses its oldest one, without effect on others', async () => {
  const started = await startRtc({ ports: { authorizePlay: () => new Promise(() => {}) } });
  rig = started;
  const request = (ip: string): RtcRequest => ({
    ...{ action: 'play', app: 'live', stream: 's', param: '', candidates: [] },
    ...{ offer: playOffer, ip, pageUrl: '', userAgent: undefined },
  });
  const pending = new Set<number>();
  const open = (index: number, ip: string) => {
    pending.add(index);
    return started.listener.open(request(ip), new AbortController().signal).finally(() => pending.delete(index));
  };
  void open(-1, '192.0.2.9');
  const calls = Array.from({ length: maxUnjoinedPerAddress + 2 }, (_, index) => open(index, '192.0.2.1'));
  expect(await Promise.all(calls.slice(0, 2))).toMatchObject([{ status: 503 }, { status: 503 }]);
  expect(pending.size).toBe(maxUnjoinedPerAddress + 1);
});
