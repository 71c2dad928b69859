// Pushes with a delay to another server of this engine, with FFmpeg as encoder. The tests check which packets arrive, when, and in which
// order.
import type { Packet } from '@srs-stack/media/packet.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StreamHub } from '../src/hub/stream-hub.ts';
import { order, sourceKey, usePushRig } from './push-rig.ts';
import { type RtmpServer, startRtmpServer, until } from './rtmp-server.ts';

const gopMs = 1_000;
const delaySeconds = 2;

const rig = usePushRig();
const { rowOf, untilState, publish } = rig;
let target: RtmpServer;
beforeEach(async () => {
  target = await startRtmpServer();
});
afterEach(() => target.close());

const keyAt = (stream: string) => ({ vhost: defaultVhost, app: 'app', stream });
const delayed = (id: string, seconds = delaySeconds) => ({ ...order(id, `${target.url}/app`), delaySeconds: seconds });

interface Arrival {
  readonly bytes: string;
  readonly atMs: number;
}

function record(hub: StreamHub, key: Parameters<StreamHub['attach']>[0], kind: Packet['track']['kind']): Arrival[] {
  const arrivals: Arrival[] = [];
  hub.attach(key, {
    ...{ name: 'test', onEnd: () => undefined },
    onPacket: ({ track, payload }) => {
      if (track.kind === kind) arrivals.push({ bytes: payload.toString('base64'), atMs: performance.now() });
    },
  });
  return arrivals;
}

describe('a push with a delay', () => {
  it('sends everything in order, each packet later by the delay, to the end of the stream and beyond it', async () => {
    const sent = {
      video: record(rig.source.hub, sourceKey, 'video'),
      audio: record(rig.source.hub, sourceKey, 'audio'),
    };
    const got = { video: record(target.hub, keyAt('a'), 'video'), audio: record(target.hub, keyAt('a'), 'audio') };
    rig.pushes.configure([delayed('a')]);
    const encoder = publish();
    await until(() => rowOf('a').startsInMs !== undefined);
    expect(rowOf('a')).toMatchObject({ state: 'waiting', reason: 'none' });
    expect(rowOf('a').startsInMs).toBeLessThanOrEqual(delaySeconds * 1000);
    await untilState('a', 'publishing');
    expect(rowOf('a').startsInMs).toBeUndefined();
    await until(() => got.video.length > 75);
    encoder.kill();
    await until(() => !rig.source.hub.isPublished(sourceKey));
    expect(got.video.length).toBeLessThan(sent.video.length);
    // The last B-frames may wait until the stream ends.
    await until(() => rowOf('a').state !== 'publishing');
    await until(() => got.video.length === sent.video.length);

    for (const kind of ['video', 'audio'] as const) {
      const first = sent[kind].findIndex(({ bytes }) => bytes === got[kind][0]!.bytes);
      expect(got[kind].map(({ bytes }) => bytes)).toEqual(sent[kind].slice(first).map(({ bytes }) => bytes));
      const delays = got[kind].map(({ atMs }, index) => atMs - sent[kind][first + index]!.atMs);
      expect(Math.min(...delays)).toBeGreaterThan(delaySeconds * 1000 - 1);
      expect(Math.max(...delays)).toBeLessThan(delaySeconds * 1000 + gopMs);
    }
    expect(rowOf('a').droppedFrames).toBe(0);
  });

  it('restarts after an interruption of the target with the same delay, and ends immediately with its order', async () => {
    publish();
    rig.pushes.configure([delayed('a'), order('live', `${target.url}/app`)]);
    await untilState('a', 'publishing');
    const [player] = target.hub.clients(0).filter(({ session }) => session.stream === 'a');
    target.hub.kick(player!.session.clientId);
    await untilState('a', 'retrying', 'connecting');
    await untilState('a', 'publishing');
    const [sent, got] = [record(rig.source.hub, sourceKey, 'video'), record(target.hub, keyAt('a'), 'video')];
    await until(() => got.some(({ bytes }) => bytes === sent[0]?.bytes));
    const late = got.find(({ bytes }) => bytes === sent[0]!.bytes)!.atMs - sent[0]!.atMs;
    expect(late).toBeGreaterThan(delaySeconds * 1000 - 1);
    expect(late).toBeLessThan(delaySeconds * 1000 + gopMs);
    rig.pushes.configure([order('live', `${target.url}/app`)]);
    await until(() => !target.hub.isPublished(keyAt('a')));
    expect(target.hub.isPublished(keyAt('live'))).toBe(true);
  });

  it('continues with a publisher that returns within the delay, on one connection', async () => {
    const encoder = publish();
    rig.pushes.configure([delayed('a')]);
    await untilState('a', 'publishing');
    encoder.kill();
    await until(() => !rig.source.hub.isPublished(sourceKey));
    publish();
    const sent = record(rig.source.hub, sourceKey, 'video');
    const got = record(target.hub, keyAt('a'), 'video');
    await until(() => sent.length > 0);
    await until(() => got.some(({ bytes }) => bytes === sent[0]!.bytes));
    expect(rowOf('a')).toMatchObject({ reconnects: 0, droppedFrames: 0 });
  });
});
