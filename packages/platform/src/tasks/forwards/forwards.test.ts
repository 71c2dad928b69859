// Which stream a forward sends. A forward must never send its own output on this server. If a forward sends the newest stream, it must
// ignore outputs of other forwards.
import { DatabaseSync } from 'node:sqlite';
import type { ForwardTarget } from '@srs-stack/contract';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { thisServer } from '../../actor.ts';
import { streamPath } from '../../network/own-addresses.ts';
import { migrate } from '../../store/sqlite/migrations.ts';
import { createSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../../store/value-cipher.ts';
import type { PlanResult } from '../../workers/worker-plan.ts';
import type { WorkerRegistry } from '../../workers/worker-registry.ts';
import { createForwards, type Forwards } from './forwards.ts';

const here = 'rtmp://here/';
const plans = new Map<string, () => Promise<PlanResult>>();
let accepted: string[];
let looked = 0;
let source: { videoCodec: string; frame?: { width: number; height: number } } | undefined;
let forwards: Forwards;
beforeEach(() => {
  source = undefined;
  openForwards(false);
});

function openForwards(canPush: boolean): void {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  plans.clear();
  forwards = createForwards({
    store: createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1))),
    audit: { record: vi.fn() } as never,
    workers: {
      run: (id: string, plan: () => Promise<PlanResult>) => plans.set(id, plan),
      halt: vi.fn(),
    } as never as WorkerRegistry,
    sources: {
      choose: async (accepts) => {
        const streams = ['live/camera', 'remote/copy', 'remote/second'].map(
          (path) => path.split('/') as [string, string],
        );
        accepted = streams.filter(([app, stream]) => accepts({ app, stream })).map((each) => each.join('/'));
        if (!source) return { kind: 'none' };
        const key = { vhost: '__defaultVhost__', app: 'live', stream: 'camera', url: 'live/camera' };
        return { kind: 'found', source: { ...key, ...source, address: 'rtmp://here/live/camera', secrets: [] } };
      },
      isLive: async () => true,
      hasPicture: async () => true,
    },
    ownAddresses: {
      streamOf: async (address) => {
        looked += 1;
        return address.startsWith(here) ? streamPath(address) : '';
      },
      leadsHere: async (address) => address.startsWith(here),
    },
    canPush,
  });
}

async function acceptedBy(platform: string): Promise<string[]> {
  await plans.get(`forward:${platform}`)?.();
  return accepted;
}
function save(platform: string, fields: Partial<ForwardTarget>): Promise<void> {
  const target = { platform, server: here, secret: 'remote/copy', enabled: true, custom: false, label: '', stream: '' };
  return forwards.save('update', { ...target, ...fields }, thisServer);
}

describe('the source of a forward', () => {
  it('that follows the newest stream is never the output of an enabled forward', async () => {
    await save('wx', {});
    await save('bilibili', { secret: 'remote/second?secret=x' });
    await save('kuaishou', { server: 'rtmp://elsewhere/', secret: 'live/camera' });
    expect(await acceptedBy('wx')).toEqual(['live/camera']);
    expect(await acceptedBy('kuaishou')).toEqual(['live/camera']);
    await save('wx', { enabled: false });
    expect(await acceptedBy('kuaishou')).toEqual(['live/camera', 'remote/copy']);
  });

  it('that is named may be the output of another forward, never its own', async () => {
    await save('wx', { stream: 'copy' });
    await save('bilibili', { secret: 'remote/second', stream: 'copy' });
    expect(await acceptedBy('wx')).toEqual([]);
    expect(await acceptedBy('bilibili')).toEqual(['remote/copy']);
  });
});

it('a hundred waiting targets share one lookup of the streams that forwards publish here', async () => {
  const targets = Array.from({ length: 100 }, (_, number) => `forwarding-${number}`);
  for (const platform of targets) await save(platform, { server: 'rtmp://elsewhere/', secret: platform, custom: true });
  looked = 0;
  await Promise.all(targets.map((platform) => plans.get(`forward:${platform}`)?.()));
  // 100 for the plans, because each plan resolves its own output, and 100 for the shared lookup.
  expect(looked).toBeLessThanOrEqual(200);
});

describe('the delay of a forward', () => {
  it('is kept by a save without it, and removed by 0', async () => {
    openForwards(true);
    await save('wx', { delaySeconds: 20 });
    await save('wx', { secret: 'other' });
    expect((await forwards.targets()).wx).toMatchObject({ secret: 'other', delaySeconds: 20 });
    await save('wx', { delaySeconds: 0 });
    expect((await forwards.targets()).wx).not.toHaveProperty('delaySeconds');
  });

  it('is refused where FFmpeg forwards, unless the target is switched off', async () => {
    const refused = { detail: { key: 'target.delay-needs-engine' } };
    await expect(save('wx', { delaySeconds: 20 })).rejects.toMatchObject(refused);
    await save('wx', { delaySeconds: 20, enabled: false });
    await save('wx', { delaySeconds: 0 });
    openForwards(true);
    const server = 'srt://elsewhere:10080?streamid=x&oheadbw=25&nakreport=0';
    await expect(save('wx', { server, secret: '', delaySeconds: 20 })).rejects.toMatchObject(refused);
    await save('wx', { server, secret: '' });
  });
});

describe('a forward that is encoded', () => {
  const plan = async (platform: string) => {
    const found = await plans.get(`forward:${platform}`)?.();
    return found?.kind === 'run' ? found.plan.args.join(' ') : found?.kind;
  };
  const away = { server: 'rtmp://127.0.0.1:9/live', secret: 'key' };

  it('is sent by FFmpeg at the size of the source, even if the media server could send it', async () => {
    openForwards(true);
    source = { videoCodec: 'H264', frame: { width: 1281, height: 720 } };
    await save('wx', away);
    expect(await plan('wx')).toBe('push');
    await save('wx', { ...away, encodeKbps: 3_000 });
    const args = await plan('wx');
    expect(args).toContain('scale=1280:720:force_original_aspect_ratio=decrease,pad=1280:720');
    expect(args).toContain('-b:v 3000k -maxrate 3000k');
    expect(args).not.toContain('-c copy');
  });

  it('keeps its bitrate by a save without it, and has no delay', async () => {
    openForwards(true);
    source = { videoCodec: 'H264' };
    await save('wx', { ...away, encodeKbps: 3_000 });
    await save('wx', away);
    expect((await forwards.targets()).wx).toMatchObject({ encodeKbps: 3_000 });
    expect(await plan('wx')).toContain('scale=1920:1080');
    const refused = { detail: { key: 'target.delay-needs-engine' } };
    await expect(save('wx', { ...away, delaySeconds: 5 })).rejects.toMatchObject(refused);
    await save('wx', { ...away, encodeKbps: 0 });
    expect((await forwards.targets()).wx).not.toHaveProperty('encodeKbps');
    expect(await plan('wx')).toBe('push');
  });
});
