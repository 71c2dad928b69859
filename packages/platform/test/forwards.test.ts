// The calls of forward: what is kept, what is refused and with which words, what a row shows.
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
  it('knows nothing at first', async () => {
    expect(await targets()).toEqual({});
    expect((await platform.call('forwardStreams')).body.data).toEqual([]);
  });

  it.each([
    [{ action: 'delete' }, 'Invalid action "delete", should be "update"'],
    [{ platform: '' }, 'Please choose a platform'],
    [{ platform: 'youtube' }, 'Invalid platform, should be wx, bilibili, kuaishou or contain forwarding-'],
    [{ platform: 'forwarding-a b' }, 'Invalid platform'],
    [{ server: '' }, 'Please input streaming server URL'],
    [{ server: 'http://h/live' }, 'it must begin with rtmp://, rtmps://, srt://'],
    [{ server: 'file:///etc/passwd', secret: '' }, 'it must begin with'],
    [{ server: '-f null', secret: '' }, 'spaces'],
    [{ server: 'rtmp://169.254.169.254/live' }, '169.254.169.254 is never contacted'],
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

  it('takes a custom platform without a label, as scripts of earlier releases send it', async () => {
    const { status } = await save({ platform: 'wx', enabled: true, custom: true, label: undefined });
    expect(status).toBe(200);
    expect((await targets()).wx).toMatchObject({ enabled: true, custom: true, label: '' });
  });

  it('keeps what was sent, every field of it, and lists rows by platform', async () => {
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

  it('forgets a target', async () => {
    expect((await platform.call('removeForward', { platform: 'wx' })).status).toBe(200);
    expect(await targets()).not.toHaveProperty('wx');
    expect((await platform.call('removeForward', { platform: 'wx' })).status).toBe(404);
  });

  it('is bounded', async () => {
    for (let n = 0; n < 110; n++) await save({ platform: `forwarding-n${n}` });
    expect(Object.keys(await targets())).toHaveLength(100);
    expect((await save({ platform: 'forwarding-new' })).body.data.message).toContain('at most 100');
    expect((await save({ platform: 'forwarding-n1', label: 'still' })).status).toBe(200);
  });

  it('has logs of any worker, empty for one that never ran', async () => {
    const { body } = await platform.call('queryWorkerLogs', { kind: 'forward', platform: 'never' });
    expect(body.data).toMatchObject({ state: 'idle', logs: [], command: '' });
    expect((await platform.callPath(endpoints.queryWorkerLogs.path, { kind: 'x' })).status).toBe(400);
  });
});
