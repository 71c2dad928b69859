// A change of the publish secret. Some keys are updated; publishers whose keys cannot be updated are reported. An interrupted change is
// completed.
import { defaultVhost, transcodeDefaults } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { thisServer } from '../src/actor.ts';
import { openTestPlatform, type TestPlatform, testBearer, testCallbackSecret } from '../src/testing/test-platform.ts';

let platform: TestPlatform;
let secret: string;
beforeEach(async () => {
  platform = await openTestPlatform();
  secret = (await platform.call('queryPublishSecret')).body.data.publish;
});
afterEach(() => platform.dispose());

const here = 'rtmp://127.0.0.1/live/';
const target = (name: string, server: string, key: string, label = '') => ({
  ...{ action: 'update', platform: name, server, secret: key, enabled: false, custom: label !== '', label },
});
const forward = (name: string, server: string, key: string, label = '') =>
  platform.call('forwardSecret', target(name, server, key, label));
const transcode = (server: string, key: string) =>
  platform.call('applyTranscode', { ...transcodeDefaults, all: false, server, secret: key });
const transcodeKey = async () => (await platform.call('queryTranscode')).body.data.secret;
const forwardKey = async (name: string) => (await platform.call('forwardSecret')).body.data[name].secret;
const publish = (stream: string, param = `?secret=${secret}`) =>
  platform.call(
    'verifyStream',
    {
      action: 'on_publish',
      vhost: defaultVhost,
      app: 'live',
      stream,
      client_id: stream,
      server_id: 's',
      param,
      ip: '',
    },
    { 'x-callback-secret': testCallbackSecret },
  );
const change = async (to: string, headers: Record<string, string> = {}) => {
  const authorization = `Bearer ${testBearer}`;
  return (await platform.call('updatePublishSecret', { secret: to }, { authorization, ...headers })).body.data;
};

describe('a new publish secret', () => {
  it('updates the keys of tasks that publish to this server', async () => {
    await transcode(here, `trans?secret=${secret}`);
    await forward('wx', here, `copy?secret=${secret}&x=1`);
    await forward(
      'forwarding-1',
      'srt://127.0.0.1:10080',
      `?streamid=#!::r=live/c,secret=${secret},m=publish`,
      'By SRT',
    );
    const named = {
      follows: [
        { kind: 'transcode', name: '', label: '' },
        { kind: 'forward', name: 'forwarding-1', label: 'By SRT' },
        { kind: 'forward', name: 'wx', label: '' },
      ],
      others: [],
    };
    expect((await platform.call('queryPublishSecretUses')).body.data).toEqual(named);
    expect(await change('next one')).toEqual(named);
    expect(await transcodeKey()).toBe('trans?secret=next%20one');
    expect(await forwardKey('wx')).toBe('copy?secret=next%20one&x=1');
    expect(await forwardKey('forwarding-1')).toBe('?streamid=#!::r=live/c,secret=next%20one,m=publish');
    expect((await publish('trans', '?secret=next%20one')).status).toBe(200);
    const { entries } = (await platform.call('queryAudit')).body.data;
    expect(entries[0].detail).toBe('publish secret updated in transcode, forward forwarding-1, forward wx');
    expect(JSON.stringify(entries)).not.toContain(secret);
    await change('third');
    expect(await transcodeKey()).toBe('trans?secret=third');
  });

  it('updates keys with a host name that operators use for this server, and with no other name', async () => {
    await transcode('rtmp://live.example.com/live/', `trans?secret=${secret}`);
    await forward('wx', 'rtmp://live.example.com:1936/live/', `s?secret=${secret}`);
    const elsewhere = { kind: 'transcode', name: '', label: '', reason: 'elsewhere' };
    const { others } = (await platform.call('queryPublishSecretUses')).body.data;
    expect(others).toEqual([elsewhere, { kind: 'forward', name: 'wx', label: '', reason: 'elsewhere' }]);
    const data = await change('next', { host: 'live.example.com:2022' });
    expect(data).toEqual({
      follows: [{ kind: 'transcode', name: '', label: '' }],
      others: [{ kind: 'forward', name: 'wx', label: '', reason: 'elsewhere' }],
    });
    expect(await transcodeKey()).toBe('trans?secret=next');
    expect(await forwardKey('wx')).toBe(`s?secret=${secret}`);
  });

  it('reports users of the old one that are not updated: names of streams, live encoders', async () => {
    await forward('kuaishou', here, `cam-${secret}`);
    await forward('bilibili', 'rtmp://elsewhere.example/live/', 'key?secret=theirs');
    await transcode(here, `trans?secret=${secret}`);
    expect((await publish('trans')).status).toBe(200);
    expect((await publish('camera')).status).toBe(200);
    expect((await publish(`phone${secret}`, '')).status).toBe(200);
    const others = [
      { kind: 'forward', name: 'kuaishou', label: '', reason: 'in-name' },
      expect.objectContaining({ kind: 'publisher', reason: 'publishing' }),
      expect.objectContaining({ kind: 'publisher', reason: 'publishing' }),
    ];
    const data = await change('next');
    expect(data).toEqual({ follows: [{ kind: 'transcode', name: '', label: '' }], others });
    const publishers = data.others.filter(({ kind }: { kind: string }) => kind === 'publisher');
    expect(publishers.map(({ name }: { name: string }) => name).sort()).toEqual(['live/camera', `live/phone${secret}`]);
    expect(await forwardKey('kuaishou')).toBe(`cam-${secret}`);
  });

  it('returns null when nobody used the old one, and reports no publisher that needs no secret', async () => {
    expect(await change('next')).toBeNull();
    await publish('camera', '?secret=next');
    await platform.call('disablePublishSecret', { pubNoAuth: true });
    expect((await platform.call('queryPublishSecretUses')).body.data).toEqual({ follows: [], others: [] });
    expect(await change('next')).toBeNull();
  });

  it('is completed at the next start when the process ended before the keys were updated', async () => {
    await transcode(here, `trans?secret=${secret}`);
    // Simulates an interrupted change: the new secret is stored, but the keys still have the old secret.
    await platform.modules.streams.publishSecret.replace('next', thisServer, { calledHost: 'h', revision: undefined });
    expect(await transcodeKey()).toBe(`trans?secret=${secret}`);
    platform = await platform.reopen();
    await platform.modules.tasks.publishSecretChange.reconcile();
    expect(await transcodeKey()).toBe('trans?secret=next');
    expect(platform.modules.streams.publishSecret.replaced()).toBeNull();
  });
});
