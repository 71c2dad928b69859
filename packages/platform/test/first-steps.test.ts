// The calls of a new operator: completed first steps, the demo stream, and the ids of tutorial videos.
import { defaultVhost } from '@srs-stack/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.dispose());

const steps = async () => (await platform.call('queryFirstSteps')).body.data;
const report = async (action: string) => {
  const { publish } = (await platform.call('queryPublishSecret')).body.data;
  const event = { vhost: defaultVhost, app: 'live', stream: 'a', client_id: 'c', server_id: 's', ip: '10.0.0.1' };
  const body = { ...event, action, param: `?secret=${publish}`, tcUrl: 'rtmp://x/live' };
  expect((await platform.call('verifyStream', body, { 'x-callback-secret': testCallbackSecret })).status).toBe(200);
};

it('derives each first step from a fact of the server', async () => {
  expect(await steps()).toEqual({
    password: false,
    publish: false,
    play: false,
    https: false,
    record: false,
    forward: false,
  });
  await platform.call('init', { password: 'a long first password' }, {});
  await report('on_publish');
  await report('on_play');
  await platform.call('applyRecord', { all: true });
  const target = { action: 'update', platform: 'wx', server: 'rtmp://127.0.0.1/x', secret: 'k', enabled: false };
  await platform.call('forwardSecret', { ...target, custom: false, label: '' });
  expect(await steps()).toEqual({
    password: true,
    publish: true,
    play: true,
    https: false,
    record: true,
    forward: true,
  });
});

it('starts and stops the demo stream by calls that need a credential', async () => {
  expect((await platform.call('startDemoStream', {}, {})).status).toBe(401);
  const started = (await platform.call('startDemoStream')).body.data;
  expect(started).toMatchObject({ enabled: true, app: 'live', stream: 'demo' });
  expect((await platform.call('queryDemoStream')).body.data.stopsAt).toBe(started.stopsAt);
  expect((await platform.call('stopDemoStream')).body.data).toMatchObject({ enabled: false, stopsAt: '' });
});

it.each(['', 'BV1', 'BV1844y1L7dL/../x', 'av170001xx', 7])('refuses %j as the id of a video', async (bvid) => {
  expect((await platform.call('bilibili', { bvid })).status).toBe(400);
});
