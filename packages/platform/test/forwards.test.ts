// Forward calls: stored values, refusals with their messages, and the content of a row.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { endpoints } from '@srs-stack/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestPlatform, type TestPlatform } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.dispose());

const valid = { action: 'update', platform: 'wx', server: 'rtmp://127.0.0.1/live/', secret: 'key' };
const save = (fields: object = {}) => platform.call('forwardSecret', { ...valid, ...fields });
const targets = async () => (await platform.call('forwardSecret')).body.data;

describe('forward', () => {
  it('has no targets at first', async () => {
    expect(await targets()).toEqual({});
    expect((await platform.call('forwardStreams')).body.data).toEqual([]);
  });

  it.each([
    [{ action: 'delete' }, 'Invalid action "delete", should be "update"'],
    [{ platform: '' }, 'Please choose a platform'],
    [{ platform: 'youtube' }, 'Invalid platform, should be wx, bilibili, kuaishou or contain forwarding-'],
    [{ platform: 'forwarding-a b' }, 'Invalid platform'],
    [{ server: '' }, 'Please input streaming server URL'],
    [{ server: 'http://h/live' }, 'the address must begin with rtmp://, rtmps://, srt://'],
    [{ server: 'file:///etc/passwd', secret: '' }, 'the address must begin with'],
    [{ server: '-f null', secret: '' }, 'spaces'],
    [
      { server: 'rtmp://169.254.169.254/live' },
      '169.254.169.254 is a link-local or special address, which is never contacted',
    ],
    [{ secret: 'a\nb' }, 'control characters'],
    [{ stream: '../x' }, 'the stream name is not allowed'],
    [{ server: `rtmp://h/${'x'.repeat(3_000)}` }, 'server'],
    [{ enabled: 'yes' }, 'enabled'],
  ])('refuses %j', async (fields, words) => {
    const { status, body } = await save(fields);
    expect(status).toBe(400);
    expect(body.data.message).toContain(words);
    expect(await targets()).toEqual({});
  });

  it('accepts a custom platform without a label, as scripts of earlier releases send it', async () => {
    const { status } = await save({ platform: 'wx', enabled: true, custom: true, label: undefined });
    expect(status).toBe(200);
    expect((await targets()).wx).toMatchObject({ enabled: true, custom: true, label: '' });
  });

  it('stores every field as sent, and lists rows by platform', async () => {
    expect((await save({ platform: 'wx', label: 'first', enabled: true, custom: true })).body.data).toBeNull();
    await save({ platform: 'forwarding-2', stream: 'livestream', secret: '' });
    await save({ platform: 'bilibili', server: 'srt://h:1?streamid=', unknown: 1 });
    expect(await targets()).toEqual({
      wx: {
        platform: 'wx',
        server: valid.server,
        secret: 'key',
        enabled: true,
        custom: true,
        label: 'first',
        stream: '',
      },
      'forwarding-2': {
        platform: 'forwarding-2',
        server: valid.server,
        secret: '',
        enabled: false,
        custom: false,
        label: '',
        stream: 'livestream',
      },
      bilibili: {
        platform: 'bilibili',
        server: 'srt://h:1?streamid=',
        secret: 'key',
        enabled: false,
        custom: false,
        label: '',
        stream: '',
      },
    });
    await save({ platform: 'wx', secret: '', label: '' });
    expect((await targets()).wx).toMatchObject({ secret: '', label: '', enabled: false, custom: false });
    const rows = (await platform.call('forwardStreams')).body.data;
    expect(rows.map((row: { platform: string }) => row.platform)).toEqual(['bilibili', 'forwarding-2', 'wx']);
    expect(rows[2]).toMatchObject({ state: 'idle', heartbeat: expect.any(Array), restarts: 0 });
    for (const row of rows) for (const name of ['frame', 'stream', 'start']) expect(row).not.toHaveProperty(name);
  });

  it('survives a restart, encrypted', async () => {
    await save({ platform: 'kuaishou', secret: 'a-very-secret-key' });
    platform = await platform.reopen();
    expect((await targets()).kuaishou.secret).toBe('a-very-secret-key');
  });

  it('removes a target', async () => {
    expect((await platform.call('removeForward', { platform: 'wx' })).status).toBe(200);
    expect(await targets()).not.toHaveProperty('wx');
    expect((await platform.call('removeForward', { platform: 'wx' })).status).toBe(404);
  });

  it('keeps the group when an update names none, and drops it when the update empties it', async () => {
    const at = { platform: 'forwarding-group' };
    await save({ ...at, group: ' Monday ' });
    await save({ ...at, label: 'from an older client' });
    expect((await targets())[at.platform]).toMatchObject({ group: 'Monday', label: 'from an older client' });
    await save({ ...at, group: '' });
    expect((await targets())[at.platform]).not.toHaveProperty('group');
    await platform.call('removeForward', at);
  });

  it('starts and stops all, or those of one group', async () => {
    const states = async () =>
      Object.fromEntries(
        Object.entries((await targets()) as Record<string, { enabled: boolean }>).map(([key, { enabled }]) => [
          key,
          enabled,
        ]),
      );
    const before = await states();
    await save({ platform: 'forwarding-g1', group: 'a' });
    await save({ platform: 'forwarding-g2', group: 'b', secret: 'other' });
    const turn = async (body: object) => (await platform.call('switchForwards', body)).body.data;
    expect(await turn({ enabled: true, group: 'a' })).toEqual({ changed: 1 });
    expect(await turn({ enabled: true, group: 'a' })).toEqual({ changed: 0 });
    expect(await states()).toEqual({ ...before, 'forwarding-g1': true, 'forwarding-g2': false });
    await turn({ enabled: true });
    expect(Object.values(await states())).not.toContain(false);
    await turn({ enabled: false, group: 'b' });
    expect(await states()).toMatchObject({ 'forwarding-g1': true, 'forwarding-g2': false });
    await turn({ enabled: false });
    expect(Object.values(await states())).not.toContain(true);
    for (const row of (await platform.call('forwardStreams')).body.data) expect(row.state).not.toBe('running');
    for (const key of ['forwarding-g1', 'forwarding-g2']) await platform.call('removeForward', { platform: key });
  });

  describe('a list', () => {
    const good = { label: 'One', server: 'rtmp://one.example/live', secret: 'k1', stream: 'main', group: 'events' };
    const check = async (rows: object[], preview?: boolean) => {
      const { body } = await platform.call('importForwards', { targets: rows, preview });
      return body.data;
    };

    it('is validated row by row, and nothing is stored', async () => {
      const before = await targets();
      const { rows, added } = await check([
        good,
        { ...good, label: 'Twice' },
        { ...good, server: 'http://one.example' },
        { ...good, server: 'rtmp://169.254.169.254/live' },
        { ...good, label: '' },
        { ...good, server: '' },
        { ...good, stream: '../x' },
        { ...good, secret: 'x'.repeat(3_000) },
      ]);
      expect(added).toBe(0);
      const words = rows.map((row: { error?: { message: string } }) => row.error?.message ?? '');
      const expected = ['', 'same server and key', 'rtmp://', 'never contacted', 'name is missing', 'server URL'];
      for (const [index, text] of [...expected, 'stream name', 'more than 2048'].entries())
        expect(words[index], String(index)).toContain(text);
      expect(rows[1].error.reason).toEqual({ key: 'target.duplicate', values: {} });
      expect(await targets()).toEqual(before);
    });

    it('is kept as a whole or not at all, switched off, in its order', async () => {
      const before = await targets();
      const second = { label: 'Two', server: 'srt://two.example:9000' };
      expect((await check([good, { ...second, server: 'nonsense' }], false)).added).toBe(0);
      expect(await targets()).toEqual(before);
      expect(await check([good, second], false)).toEqual({ rows: [{}, {}], added: 2 });
      const keys = Object.keys(await targets()).filter((key) => !(key in before));
      const added = await Promise.all(keys.sort().map(async (key) => (await targets())[key]));
      expect(added).toMatchObject([
        { ...good, custom: true, enabled: false },
        { ...second, secret: '', stream: '', custom: true, enabled: false },
      ]);
      expect((await check([good])).rows[0].error.message).toContain('same server and key');
      for (const key of keys) await platform.call('removeForward', { platform: key });
    });

    it('is bounded', async () => {
      expect((await platform.call('importForwards', { targets: Array(101).fill(good) })).status).toBe(400);
      expect((await platform.call('importForwards', { targets: [] })).status).toBe(400);
    });
  });

  it('is bounded', async () => {
    for (let n = 0; n < 110; n++) await save({ platform: `forwarding-n${n}` });
    expect(Object.keys(await targets())).toHaveLength(100);
    expect((await save({ platform: 'forwarding-new' })).body.data.message).toContain('at most 100');
    expect((await save({ platform: 'forwarding-n1', label: 'still' })).status).toBe(200);
  });

  it('refuses to test addresses that no forward may contact, and reports when the media server runs no tests', async () => {
    const start = async (fields: object) => (await platform.call('startForwardTest', fields)).body.data.message;
    expect(await start({ server: 'rtmp://169.254.169.254/live' })).toContain('never contacted');
    expect(await start({ server: 'file:///etc/passwd' })).toContain('the address must begin with');
    expect(await start({ server: 'srt://h:1?mode=caller&ipttl=3' })).toContain('options that a test does not support');
    expect(await start({ server: valid.server, secret: 'a-key' })).toContain('cannot test targets');
    expect(await readdir(join(platform.dataDir, 'run', 'push-tests'))).toEqual([]);
    expect((await platform.call('queryForwardTest', { id: 'x' })).status).toBe(404);
  });

  it('returns logs of any worker, empty for one that never ran', async () => {
    const { body } = await platform.call('queryWorkerLogs', { kind: 'forward', platform: 'never' });
    expect(body.data).toMatchObject({ state: 'idle', logs: [], command: '' });
    expect((await platform.callPath(endpoints.queryWorkerLogs.path, { kind: 'x' })).status).toBe(400);
  });
});
