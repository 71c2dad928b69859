import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PushTestOrder, PushTestSnapshot } from '../src/sessions/push/target-test/push-test-status.ts';
import { PushTests } from '../src/sessions/push/target-test/push-tests.ts';
import { accepting, command, listen, redirecting, respondingWith } from './push-rig.ts';
import { type RtmpServer, startRtmpServer, testConfig, until } from './rtmp-server.ts';

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };
let tests: PushTests;
let target: RtmpServer;
beforeEach(async () => {
  target = await startRtmpServer();
  tests = open();
});
afterEach(async () => {
  tests.close();
  await target.close();
});

function open(mayContact = (_address: string) => true): PushTests {
  const onFault = (error: unknown) => {
    throw error;
  };
  return new PushTests({ config: testConfig, log, onFault, clock: () => performance.now(), mayContact });
}

let count = 0;
async function run(order: Partial<PushTestOrder> & { server: string }): Promise<PushTestSnapshot> {
  const id = `test-${count++}`;
  expect(tests.start({ id, key: 'secret-key', sends: 'publish', ...order })).toBe(true);
  await until(() => tests.snapshot(id)?.isDone === true);
  return tests.snapshot(id)!;
}
const statesOf = ({ steps }: PushTestSnapshot) => steps.map(({ step, state }) => `${step} ${state}`);

it('a good target passes every step and receives two seconds of black with silence', async () => {
  const done = run({ server: `${target.url}/app`, sends: 'media' });
  const key = { vhost: defaultVhost, app: 'app', stream: 'secret-key' };
  await until(() => target.hub.find(key)?.video !== undefined && target.hub.find(key)?.audio !== undefined);
  const received = target.hub.find(key)!;
  expect(received.video).toMatchObject({ codec: 'h264' });
  expect(received.audio).toMatchObject({ codec: 'aac' });
  const result = await done;
  expect(statesOf(result)).toEqual(['name passed', 'port passed', 'connect passed', 'publish passed', 'media passed']);
  expect(result.failure).toBeUndefined();
  expect(received.stats.frames).toBeGreaterThan(45);
  await until(() => !target.hub.isPublished(key));
});

it('a test that sends nothing requests no stream', async () => {
  const seen: string[] = [];
  const server = await listen((socket) => {
    respondingWith()(socket);
    socket.on('data', (data) => {
      seen.push(data.toString('latin1'));
      if (!data.includes('connect')) return;
      socket.write(command('_result', 1, {}, { code: 'NetConnection.Connect.Success' }));
    });
  });
  expect(statesOf(await run({ server, sends: 'nothing' }))).toEqual(['name passed', 'port passed', 'connect passed']);
  expect(seen.join('')).toContain('connect');
  for (const call of ['createStream', 'releaseStream', 'secret-key']) expect(seen.join('')).not.toContain(call);
});

it('a test that publishes sends no media', async () => {
  const result = await run({ server: `${target.url}/app` });
  expect(statesOf(result)).toEqual(['name passed', 'port passed', 'connect passed', 'publish passed']);
});

it('reports the step at which a target fails, without the key', async () => {
  const refusedKey = respondingWith(
    command('_result', 1, {}, { code: 'NetConnection.Connect.Success' }),
    command('_result', 4, null, 9),
    command('onStatus', 0, null, {
      ...{ level: 'error', code: 'NetStream.Publish.BadName', description: 'no secret-key here' },
    }),
  );
  const refusedApp = respondingWith(command('_error', 1, null, { code: 'NetConnection.Connect.Rejected' }));
  const plain = await listen(accepting);
  const cases = [
    ['rtmp://no-such-host.invalid/live', 'host-unknown', 'name failed'],
    ['rtmp://127.0.0.1:1/live', 'connection-refused', 'port failed'],
    [plain.replace('rtmp:', 'rtmps:'), 'tls-failed', 'tls failed'],
    [await listen(refusedApp), 'publish-rejected', 'connect failed'],
    [await listen(refusedKey), 'publish-rejected', 'publish failed'],
  ] as const;
  for (const [server, reason, failed] of cases) {
    const result = await run({ server, sends: 'media' });
    expect(result.failure, server).toMatchObject({ reason });
    const states = statesOf(result);
    const place = states.indexOf(failed);
    expect(place, `${server} ${states}`).toBeGreaterThanOrEqual(0);
    expect(states.slice(0, place).every((each) => each.endsWith(' passed'))).toBe(true);
    expect(states.slice(place + 1).every((each) => each.endsWith(' skipped'))).toBe(true);
    expect(JSON.stringify(result)).not.toContain('secret-key');
  }
});

it('a target that closes after it accepted the key fails at that step', async () => {
  const server = await listen((socket) => {
    accepting(socket);
    socket.on('data', (data) => data.includes('publish') && setTimeout(() => socket.end(), 300));
  });
  const result = await run({ server });
  expect(result.failure).toMatchObject({ reason: 'connection-closed' });
  expect(statesOf(result).at(-1)).toBe('publish failed');
});

it('never contacts a forbidden address, not even after a redirect', async () => {
  tests.close();
  tests = open((address) => address !== '127.0.0.2');
  const result = await run({ server: 'rtmp://127.0.0.2/live' });
  expect([result.failure?.reason, statesOf(result)[0]]).toEqual(['address-refused', 'name failed']);
  const led = await run({ server: await listen(redirecting('rtmp://127.0.0.2/live')) });
  expect(led.failure).toMatchObject({ reason: 'address-refused' });
});

it('is bounded: four at a time', async () => {
  const server = await listen(silent);
  const orders = Array.from({ length: 5 }, (_, index) => ({
    id: `m${index}`,
    server,
    key: 'k',
    sends: 'publish' as const,
  }));
  expect(orders.map((order) => tests.start(order))).toEqual([true, true, true, true, false]);
});
