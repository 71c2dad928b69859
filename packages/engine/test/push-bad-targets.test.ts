// Targets that misbehave: each target has a separate state and reason, and a good target receives every frame.
import type { Socket } from 'node:net';
import { userEvent, writeUserControl } from '@srs-stack/media/protocols/rtmp/control-messages.ts';
import { writeMessage } from '@srs-stack/media/protocols/rtmp/testing/wire-client.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { expect, it, onTestFinished } from 'vitest';
import type { PushReason } from '../src/sessions/push/push-status.ts';
import { accepting, listen, order, redirecting, type sourceKey, usePushRig } from './push-rig.ts';
import { type RtmpServer, startRtmpServer, testConfig, until } from './rtmp-server.ts';

const rig = usePushRig();
const { rowOf, publish, fill } = rig;
/** Interval at which a target resets its connections, milliseconds. */
const resetMs = 1_000;
/** Reads about a tenth of the publisher's bitrate. */
const slowly = { everyMs: 100, bytes: 20_000 };
/** Steps above this size mean that a frame is missing, milliseconds. */
const missingFrameMs = 75;
/** Timeout for filling buffers, milliseconds. A busy machine encodes slower than real time. */
const fillsWithinMs = 100_000;
const queue = { maxBytes: 1_000_000, maxDurationMs: 5_000 };

function timesOf(server: RtmpServer, key: typeof sourceKey): number[] {
  const times: number[] = [];
  const onPacket: Parameters<typeof server.hub.attach>[1]['onPacket'] = ({ track, dtsMs }) =>
    void (track.kind === 'video' && times.push(dtsMs));
  server.hub.attach(key, { name: 'test', onPacket, onEnd: () => undefined });
  return times;
}

function readSlowly(socket: Socket): void {
  accepting(socket);
  let left = 0;
  socket.on('data', (data) => {
    left -= data.length;
    if (left < 0) socket.pause();
  });
  const timer = setInterval(() => {
    left = slowly.bytes;
    socket.resume();
  }, slowly.everyMs);
  socket.on('close', () => clearInterval(timer));
}

async function startGoodTarget() {
  const target = await startRtmpServer();
  onTestFinished(() => target.close());
  const key = { vhost: defaultVhost, app: 'app', stream: 'good' };
  let times: number[] = [];
  return {
    order: order('good', `${target.url}/app`),
    async arrives() {
      await until(() => rowOf('good').state === 'publishing' && target.hub.isPublished(key));
      times = timesOf(target, key);
    },
    async hasAll(frames: number) {
      await until(() => times.length >= frames);
      expect(rowOf('good')).toMatchObject({ state: 'publishing', reconnects: 0, droppedFrames: 0 });
      const steps = times.slice(1).map((time, index) => time - times[index]!);
      expect(Math.max(...steps)).toBeLessThan(missingFrameMs);
    },
  };
}

it('targets that refuse, send garbage or no response, redirect in a loop, and reset', async () => {
  let circle = '';
  let resets = 0;
  circle = await listen((socket) => redirecting(circle)(socket));
  const bad: Readonly<Record<string, string>> = {
    refused: 'rtmp://127.0.0.1:1/live',
    unknown: 'rtmp://no-such-host.invalid/live',
    garbage: await listen((socket) => socket.on('data', () => socket.write(Buffer.alloc(4_096, 0xff)))),
    circle,
    mute: await listen((socket) => socket.resume()),
    resetting: await listen((socket) => {
      accepting(socket);
      resets++;
      setTimeout(() => socket.resetAndDestroy(), resetMs);
    }),
  };
  const good = await startGoodTarget();
  rig.pushes.configure([good.order, ...Object.entries(bad).map(([id, server]) => order(id, server))]);
  publish();
  await good.arrives();
  const reasons: readonly (readonly [string, PushReason])[] = [
    ['refused', 'connection-refused'],
    ['garbage', 'failed'],
    ['circle', 'failed'],
    ['resetting', 'connection-closed'],
    ['unknown', 'host-unknown'],
    ['mute', 'timeout'],
  ];
  for (const [id, reason] of reasons) {
    await until(() => rowOf(id).reason !== 'none');
    expect(rowOf(id), id).toMatchObject({ reason });
  }
  await until(() => resets > 1);
  await good.hasAll(100);
});

it('a target that sends requests without end and reads no responses', async () => {
  const ping = writeMessage(writeUserControl(userEvent.pingRequest, 7), 2);
  const pings = Buffer.concat(Array.from({ length: 4_000 }, () => ping));
  const asking = await listen((socket) => {
    accepting(socket);
    socket.once('data', () =>
      setImmediate(() => {
        socket.pause();
        const sendRequests = (): void => {
          while (!socket.destroyed && socket.write(pings));
        };
        socket.on('drain', sendRequests);
        sendRequests();
      }),
    );
  });
  const good = await startGoodTarget();
  rig.pushes.configure([good.order, order('asking', asking)]);
  publish();
  await good.arrives();
  await until(() => rowOf('asking').reason !== 'none');
  expect(rowOf('asking')).toMatchObject({
    reason: 'failed',
    detail: 'the target does not read the responses sent to it',
  });
  await good.hasAll(50);
});

it('a public target that redirects into a private network', async () => {
  const inside = await listen((socket) => {
    throw new Error(`contacted by ${socket.remotePort}`);
  });
  const url = inside.replace('127.0.0.1', '127.0.0.2');
  const outside = await listen((socket) => redirecting(url)(socket));
  rig.reopen({ isPrivate: (address) => address === '127.0.0.2' });
  rig.pushes.configure([order('outside', outside)]);
  publish();
  await until(() => rowOf('outside').reason !== 'none');
  expect(rowOf('outside')).toMatchObject({
    reason: 'address-refused',
    detail: 'the target redirects to 127.0.0.2 in a private network, which is not allowed',
  });
});

it('targets that stop reading, and that read a tenth', async () => {
  const stalling = await listen((socket) => {
    accepting(socket);
    socket.once('data', () => setTimeout(() => socket.pause(), 200));
  });
  const slow = await listen(readSlowly);
  const good = await startGoodTarget();
  rig.reopen({ config: { ...testConfig, viewerQueue: queue } });
  rig.pushes.configure([good.order, order('stalling', stalling), order('slow', slow)]);
  fill('320x180');
  await good.arrives();
  await until(() => rowOf('slow').droppedFrames > 0 && rowOf('stalling').droppedFrames > 0, fillsWithinMs);
  expect(rowOf('slow')).toMatchObject({ state: 'publishing', reconnects: 0 });
  expect(rowOf('slow').queuedMs).toBeGreaterThan(0);
  await until(() => rowOf('stalling').reason === 'stalled');
  await good.hasAll(100);
});
