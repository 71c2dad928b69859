// Callbacks: settings, authorization of publishers, notices, the delivery log and the test call, with real targets.
import { createServer } from 'node:net';
import { defaultVhost } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeSelfSigned } from '../src/certificates/self-signed.ts';
import { type CallbackTarget, replyNever, replyWith, startCallbackTarget } from '../src/testing/callback-target.ts';
import { openTestPlatform, type TestPlatform, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
let target: CallbackTarget;
let secret: string;
beforeEach(async () => {
  platform = await openTestPlatform();
  target = await startCallbackTarget();
  secret = (await platform.call('queryPublishSecret')).body.data.publish;
});
afterEach(async () => {
  await target.close();
  await platform.dispose();
});

const event = (action: string, fields: object = {}) =>
  platform.call(
    'verifyStream',
    {
      action,
      vhost: defaultVhost,
      app: 'live',
      stream: 'a',
      client_id: 'c1',
      server_id: 's1',
      param: `?secret=${secret}`,
      ip: '10.0.0.1',
      ...fields,
    },
    { 'x-callback-secret': testCallbackSecret },
  );
const apply = (fields: object = {}) =>
  platform.call('applyHooks', { all: true, target: target.url, opaque: 'my-opaque', ...fields });
const hooks = async () => (await platform.call('queryHooks')).body.data;
const deliveries = async () => (await platform.call('queryHookDeliveries')).body.data.deliveries;
const liveStreams = async () => (await platform.call('queryStreams')).body.data.streams as { stream: string }[];

describe('callback settings', () => {
  it('are off at first, are saved, and store the base address of the call', async () => {
    expect(await hooks()).toEqual({ all: false, target: '', opaque: '', host: '', req: '', res: '', revision: 0 });
    const response = await platform.callPath(
      '/terraform/v1/mgmt/hooks/apply',
      { all: true, target: ` ${target.url} `, opaque: 'x' },
      { authorization: 'Bearer srs-v2-test', host: 'live.example.com', 'x-forwarded-proto': 'https' },
    );
    expect(response).toMatchObject({ status: 200, body: { data: null } });
    const saved = { all: true, target: target.url, opaque: 'x', host: 'https://live.example.com', revision: 1 };
    expect(await hooks()).toMatchObject(saved);
    platform = await platform.reopen();
    expect(await hooks()).toMatchObject(saved);
    await apply({ host: 'https://cdn.example.com/' });
    expect((await hooks()).host).toBe('https://cdn.example.com');
  });

  it.each([
    ['ftp://example.com/x'],
    ['not a url'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://[::ffff:169.254.169.254]/'],
    ['http://[fe80::1]/'],
    ['http://0.0.0.0:80/'],
    ['http://2852039166/'],
  ])('refuse the target %s and keep the previous state', async (bad) => {
    await apply();
    const before = await hooks();
    expect(await apply({ target: bad })).toMatchObject({ status: 400, body: { data: { name: 'addressRefused' } } });
    expect(await platform.call('testHooks', { target: bad })).toMatchObject({ status: 400 });
    expect(await hooks()).toEqual(before);
  });

  it('refuse a very long opaque text, wrong types and a target that is too long', async () => {
    for (const fields of [{ opaque: 'x'.repeat(4_097) }, { all: 'yes' }, { target: `http://a/${'x'.repeat(2_048)}` }]) {
      expect(await apply(fields)).toMatchObject({ status: 400, body: { data: { name: 'invalidRequest' } } });
    }
    expect((await hooks()).revision).toBe(0);
  });

  it('report a conflict to the second of two operators that save simultaneously', async () => {
    await apply();
    const { revision } = await hooks();
    expect((await apply({ opaque: 'first', revision })).status).toBe(200);
    expect(await apply({ opaque: 'second', revision })).toMatchObject({
      status: 409,
      body: { data: { name: 'settingsChanged' } },
    });
    expect((await hooks()).opaque).toBe('first');
  });

  it('are in the audit trail without secrets', async () => {
    await apply({ target: `${target.url}?token=hide-me` });
    const [entry] = (await platform.call('queryAudit')).body.data.entries;
    expect(entry.detail).toContain('callbacks on');
    expect(entry.detail).not.toContain('hide-me');
  });
});

describe('the example target', () => {
  it('accepts, or fails on request, and needs no credential', async () => {
    const ask = (query: string, body?: object) =>
      platform.callPath(`/terraform/v1/mgmt/hooks/example${query}`, body, {});
    expect(await ask('?fail=false', { action: 'on_publish' })).toMatchObject({ status: 200, body: { code: 0 } });
    expect((await ask('')).status).toBe(200);
    for (const query of ['?fail=true', '?fail=1']) expect((await ask(query)).status).toBe(403);
  });
});

describe('authorization of a publisher', () => {
  it('is requested before the stream is listed, with the keys of both versions', async () => {
    await apply();
    let listedDuringCall: unknown;
    target.reply = (response) => {
      void liveStreams().then((streams) => {
        listedDuringCall = streams;
        response.end('{"code":0,"data":null}');
      });
    };
    expect((await event('on_publish')).status).toBe(200);
    expect(listedDuringCall).toEqual([]);
    expect((await liveStreams()).map(({ stream }) => stream)).toEqual(['a']);
    const [{ body, headers }] = target.received as [CallbackTarget['received'][number]];
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual({
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: 'on_publish',
      opaque: 'my-opaque',
      vhost: defaultVhost,
      app: 'live',
      stream: 'a',
      param: `?secret=${secret}`,
      server_id: 's1',
      client_id: 'c1',
      update: '2026-01-02T03:04:05.000Z',
    });
  });

  it('is not requested for a publisher without the secret, nor while callbacks are off or have no target', async () => {
    await apply();
    expect((await event('on_publish', { param: '' })).status).toBe(403);
    await apply({ all: false });
    expect((await event('on_publish')).status).toBe(200);
    await apply({ target: '' });
    expect((await event('on_publish', { client_id: 'c2' })).status).toBe(200);
    expect(target.received).toEqual([]);
  });

  it.each([
    ['0', 200],
    [' 0\n', 200],
    ['{"code":0}', 200],
    ['{}', 200],
    ['{"code":0,"data":{"x":1}}', 200],
    ['1', 403],
    ['-1', 403],
    ['{"code":1}', 403],
    ['{"code":"0"}', 403],
    ['{"code":null}', 403],
    ['', 403],
    ['ok', 403],
    ['[]', 403],
    ['null', 403],
    ['<html></html>', 403],
    ['x'.repeat(70_000), 403],
  ])('interprets the response %j', async (text, status) => {
    await apply();
    target.reply = replyWith(200, text);
    const response = await event('on_publish');
    expect(response.status).toBe(status);
    if (status !== 200) expect(response.body).toMatchObject({ code: 100, data: { name: 'callbackRefused' } });
    expect(await liveStreams()).toHaveLength(status === 200 ? 1 : 0);
  });

  it('treats every status but 200 as a refusal, follows no redirect and shows no response of another delivery', async () => {
    await apply();
    target.reply = replyWith(200, '{"code":0,"from":"first"}');
    await event('on_publish');
    expect(await hooks()).toMatchObject({ res: '{"code":0,"from":"first"}' });
    for (const status of [201, 204, 301, 302, 307, 400, 500]) {
      target.reply = replyWith(status, status === 204 ? '' : '0', { location: target.url });
      expect((await event('on_publish', { stream: `s${status}` })).status, String(status)).toBe(403);
    }
    expect(target.received).toHaveLength(8);
    const { req, res } = await hooks();
    expect(res).toBe('');
    expect(JSON.parse(req)).toMatchObject({ action: 'on_publish', stream: 's500', opaque: 'my-opaque' });
    expect(req).not.toContain(secret);
  });

  it('refuses when no process listens or the peer does not speak HTTP', async () => {
    const silent = createServer((socket) => socket.resume().end('220 ready\r\n'));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    await apply({ target: `http://127.0.0.1:${port}/` });
    expect((await event('on_publish')).status).toBe(403);
    await apply({ target: `https://127.0.0.1:${port}/` });
    expect((await event('on_publish')).status).toBe(403);
    await new Promise((resolve) => silent.close(resolve));
    expect((await event('on_publish')).status).toBe(403);
    expect((await deliveries()).map((each: { problem: string }) => each.problem)).toEqual([
      'unreachable',
      'tls',
      'unreachable',
    ]);
  });

  it('calls HTTPS targets regardless of their certificate', async () => {
    const { key, crt } = makeSelfSigned(new Date());
    const secure = await startCallbackTarget({ key, cert: crt });
    await apply({ target: secure.url });
    expect((await event('on_publish')).status).toBe(200);
    expect(secure.received).toHaveLength(1);
    await secure.close();
  });

  it('sends user and password of the target, and shows them nowhere', async () => {
    await apply({ target: target.url.replace('//', '//me:hide%20me@') });
    await event('on_publish');
    expect(target.received[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:hide me').toString('base64')}`);
    expect(JSON.stringify(await deliveries())).not.toContain('hide');
  });
});

describe('notices', () => {
  it('are sent after the internal updates; a hanging target delays no response and no other stream', async () => {
    await apply();
    await event('on_publish');
    target.reply = replyNever;
    const hanging = target.next('on_unpublish');
    expect((await event('on_unpublish')).status).toBe(200);
    await hanging;
    target.reply = replyWith(200, '0');
    expect((await event('on_publish', { stream: 'b', client_id: 'c2' })).status).toBe(200);
    expect((await liveStreams()).map(({ stream }) => stream)).toEqual(['b']);
  });

  it('of recordings contain the task and a link with the base address', async () => {
    await apply({ host: 'https://live.example.com' });
    const fields = { vhost: defaultVhost, app: 'live', stream: 'a', uuid: 'u-1' };
    const [begun, ended] = [target.next('on_record_begin'), target.next('on_record_end')];
    platform.modules.callbacks.notify({ action: 'on_record_begin', ...fields });
    platform.modules.callbacks.notify({ action: 'on_record_end', ...fields, artifactCode: 0 });
    const common = { request_id: expect.any(String), opaque: 'my-opaque', ...fields };
    expect((await begun).body).toEqual({ ...common, action: 'on_record_begin' });
    expect((await ended).body).toEqual({
      ...common,
      action: 'on_record_end',
      artifact_code: 0,
      artifact_path: '/data/record/u-1/index.mp4',
      artifact_url: 'https://live.example.com/terraform/v1/hooks/record/hls/u-1/index.mp4',
    });
    await vi.waitFor(async () => expect(JSON.parse((await hooks()).req).action).toBe('on_record_end'));
  });

  it('of one stream keep their order', async () => {
    await apply();
    const last = target.next('on_record_end');
    const fields = { vhost: '', app: 'live', stream: 'a', uuid: 'u' };
    for (let index = 0; index < 10; index += 1)
      platform.modules.callbacks.notify({ action: 'on_ocr', ...fields, prompt: String(index), result: 'r' });
    platform.modules.callbacks.notify({ action: 'on_record_end', ...fields, artifactCode: 100 });
    await last;
    expect(target.received.map(({ body }) => body.prompt)).toEqual([...'0123456789', undefined]);
  });
});

describe('the delivery log', () => {
  it('contains body, response and duration, newest first, without secrets, and survives a restart', async () => {
    await apply({ opaque: 'hide-opaque' });
    await event('on_publish');
    target.reply = replyWith(200, '{"code":7}');
    await event('on_publish', { stream: 'b', param: `?secret=${secret}&other=1` });
    platform = await platform.reopen();
    const [newest, oldest] = await deliveries();
    expect(newest).toMatchObject({
      action: 'on_publish',
      target: target.url,
      status: 200,
      response: '{"code":7}',
      outcome: 'refused',
      problem: 'code',
      detail: 'the target returned code 7',
    });
    expect(JSON.parse(newest.request)).toMatchObject({
      stream: 'b',
      param: '?secret=******&other=1',
      opaque: '******',
    });
    expect(newest.id).toBe(JSON.parse(newest.request).request_id);
    expect(oldest).toMatchObject({ outcome: 'accepted', detail: '', response: '0' });
    expect(oldest.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('is bounded', async () => {
    await apply();
    const fields = { vhost: '', app: 'live', uuid: 'u', prompt: 'p', result: 'r' };
    for (let index = 0; index < 210; index += 1) {
      platform.modules.callbacks.notify({ action: 'on_ocr', ...fields, stream: `s${index}` });
    }
    await vi.waitFor(() => expect(target.received).toHaveLength(210), { timeout: 20_000 });
    const response = await platform.call('queryHookDeliveries', { limit: 200 });
    expect(response.body.data.deliveries).toHaveLength(200);
    expect(await platform.call('queryHookDeliveries', { limit: 201 })).toMatchObject({ status: 400 });
  });
});

describe('the test call', () => {
  it('sends one body to an unsaved target and returns the response', async () => {
    target.reply = replyWith(500, 'boom');
    const response = await platform.call('testHooks', { target: target.url, opaque: 'o' });
    expect(response.body.data).toMatchObject({ action: 'test', status: 500, response: 'boom', outcome: 'refused' });
    expect(target.received[0]?.body).toMatchObject({ action: 'test', opaque: 'o', app: 'live', stream: 'livestream' });
    expect(await hooks()).toMatchObject({ target: '', req: '' });
    expect(await platform.call('testHooks', { target: '' })).toMatchObject({ status: 400 });
  });
});
