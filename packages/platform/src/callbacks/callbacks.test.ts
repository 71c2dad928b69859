import { DatabaseSync } from 'node:sqlite';
import { AppError, verbatim } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisServer } from '../actor.ts';
import { isForbiddenAddress } from '../network/address-rule.ts';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { replyNever, startCallbackTarget } from '../testing/callback-target.ts';
import { openTestPlatform, type TestPlatform } from '../testing/test-platform.ts';
import { maxNoticesPerStream, maxNoticesUnderWay, maxNoticesWaiting } from './callback-limits.ts';
import { maskQuery, maskTarget } from './callback-mask.ts';
import { postCallback } from './callback-post.ts';
import { type Callbacks, openCallbacks } from './callbacks.ts';
import { NoticeLanes } from './notice-lanes.ts';

describe('a target that hangs', () => {
  let platform: TestPlatform;
  let target: Awaited<ReturnType<typeof startCallbackTarget>>;
  beforeEach(async () => {
    platform = await openTestPlatform();
    target = await startCallbackTarget();
    target.reply = replyNever;
  });
  afterEach(async () => {
    await target.close();
    await platform.dispose();
  });

  async function open(timeoutMs: number): Promise<Callbacks> {
    const database = new DatabaseSync(':memory:');
    migrate(database);
    const store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const { audit } = platform.modules;
    const callbacks = await openCallbacks({ store, audit, log, now: () => new Date(), post: postCallback, timeoutMs });
    await callbacks.change({
      all: true,
      target: target.url,
      opaque: '',
      host: '',
      origin: 'http://a',
      actor: thisServer,
    });
    return callbacks;
  }

  const stream = { vhost: '', app: 'live', stream: 'a' };

  it('times out, and the publisher is refused with that reason', async () => {
    const callbacks = await open(300);
    const refused = callbacks.askPublish({ action: 'on_publish', ...stream });
    await expect(refused).rejects.toThrow(
      new AppError('callbackRefused', verbatim('the target did not respond in time')),
    );
    expect((await callbacks.deliveries(1))[0]).toMatchObject({ outcome: 'failed', problem: 'timeout', response: '' });
  });

  it('is aborted when the product stops', async () => {
    // With this long timeout, only the stop can end the request.
    const callbacks = await open(600_000);
    const arrived = target.next('on_unpublish');
    callbacks.notify({ action: 'on_unpublish', ...stream });
    await arrived;
    await callbacks.close();
    expect(await callbacks.deliveries(1)).toHaveLength(1);
  });
});

describe('queues', () => {
  it('send one notice per stream and a bounded number in total at a time, and drop the oldest ones above the limit', async () => {
    const lanes = new NoticeLanes();
    const open: (() => void)[] = [];
    const sent: string[] = [];
    const hang = (name: string) => () => {
      sent.push(name);
      return new Promise<void>((resolve) => open.push(resolve));
    };
    for (let index = 0; index < maxNoticesUnderWay + 4; index += 1) lanes.push(`lane ${index}`, hang(`first ${index}`));
    expect(sent).toHaveLength(maxNoticesUnderWay);
    for (let index = 0; index <= maxNoticesPerStream; index += 1) lanes.push('lane 0', hang(`later ${index}`));
    expect(lanes.dropped).toBe(1);
    open.shift()?.();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent.at(-1)).toBe(`first ${maxNoticesUnderWay}`);
    const closed = lanes.close();
    while (open.length > 0) open.shift()?.();
    await closed;
    expect(sent).toHaveLength(maxNoticesUnderWay + 1);
  });

  it('let a publisher continue when they are full in total', async () => {
    const lanes = new NoticeLanes();
    fill(lanes, (index) => `lane ${index}`, maxNoticesWaiting + maxNoticesUnderWay);
    await lanes.settled('lane 0');
    expect(lanes.dropped).toBe(1);
  });

  it('let a publisher continue whose turn the newer notices of its stream have replaced', async () => {
    const lanes = new NoticeLanes();
    fill(lanes, () => 'lane 0', 1);
    const settled = lanes.settled('lane 0');
    fill(lanes, () => 'lane 0', maxNoticesPerStream);
    await settled;
    expect(lanes.dropped).toBe(1);
  });

  it('let a publisher continue that waits when they are closed', async () => {
    const lanes = new NoticeLanes();
    const notice = Promise.withResolvers<void>();
    lanes.push('lane 0', () => notice.promise);
    const settled = lanes.settled('lane 0');
    const closed = lanes.close();
    await settled;
    notice.resolve();
    await closed;
  });

  /** Adds notices that never end. */
  function fill(lanes: NoticeLanes, laneOf: (index: number) => string, count: number) {
    for (let index = 0; index < count; index += 1) lanes.push(laneOf(index), () => new Promise<void>(() => undefined));
  }
});

describe('masking', () => {
  it.each([
    ['?secret=abc&x=1', '?secret=******&x=1'],
    ['secret=abc', 'secret=******'],
    ['?a=1&apikey=2&Token=3', '?a=1&apikey=******&Token=******'],
    ['?plain=1', '?plain=1'],
  ])('of the query %s', (query, shown) => expect(maskQuery(query)).toBe(shown));
  it('hides passwords and keys in targets', () => {
    expect(maskTarget('https://u:p@a.b/x?token=1&y=2')).toBe('https://u:******@a.b/x?token=******&y=2');
    expect(maskTarget('half a target?secret=1')).toBe('half a target?secret=******');
  });
});

describe('addresses', () => {
  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    'fd00:ec2::254',
    '100.100.100.200',
  ])('%s is never contacted', (address) => expect(isForbiddenAddress(address)).toBe(true));
  it.each(['127.0.0.1', '10.0.0.1', '192.168.1.1', '::1', 'fd00::1', '203.0.113.1', '::ffff:10.0.0.1'])(
    '%s may be contacted',
    (address) => expect(isForbiddenAddress(address)).toBe(false),
  );
});
