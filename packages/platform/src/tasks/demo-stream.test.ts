// The demo stream without a process: command, duration and end. A second part draws the test pattern with the real FFmpeg.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { demoStreamMinutes } from '@srs-stack/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisServer } from '../actor.ts';
import { migrate } from '../store/sqlite/migrations.ts';
import { createSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createValueCipher } from '../store/value-cipher.ts';
import { demoArgs } from '../workers/ffmpeg-args/demo-args.ts';
import type { PlanResult } from '../workers/worker-plan.ts';
import { createDemoStreams, type DemoStreams } from './demo-stream.ts';

const startedMs = Date.parse('2026-01-02T03:04:05Z');
const fullMs = demoStreamMinutes * 60_000;
const idle = { state: 'idle', reason: 'none', heartbeat: [], pid: 0 };

let nowMs: number;
let rtmp: number | null;
let state: string;
let plan: (() => Promise<PlanResult>) | undefined;
let store: ReturnType<typeof createSqliteStore>;
const open: DemoStreams[] = [];

function openDemo(): DemoStreams {
  const demo = createDemoStreams({
    store,
    audit: { record: vi.fn() } as never,
    workers: {
      run(_id: string, next: () => Promise<PlanResult>) {
        plan = next;
        state = 'running';
      },
      async halt() {
        plan = undefined;
        state = 'stopped';
      },
      view: () => ({ ...idle, state }),
    } as never,
    publishSecret: { current: () => ({ publish: 'a secret' }) },
    boundPorts: async () => ({ rtmp }),
    log: { error: vi.fn() } as never,
    now: () => new Date(nowMs),
  });
  open.push(demo);
  return demo;
}

beforeEach(() => {
  [nowMs, rtmp, state, plan] = [startedMs, 19_350, 'idle', undefined];
  const database = new DatabaseSync(':memory:');
  migrate(database);
  store = createSqliteStore(database, createValueCipher(Buffer.alloc(32, 1)));
});
afterEach(() => {
  for (const demo of open.splice(0)) demo.close();
  vi.useRealTimers();
});

const planned = async () => {
  const result = await plan!();
  if (result.kind !== 'run') throw new Error(`not planned: ${JSON.stringify(result)}`);
  return result.plan;
};

describe('the demo stream', () => {
  it('publishes to this server with the publish secret, which no response contains', async () => {
    const demo = openDemo();
    const view = await demo.start({ ip: '10.0.0.1' });
    expect(view).toMatchObject({ enabled: true, app: 'live', stream: 'demo' });
    expect(Date.parse(view.stopsAt)).toBe(startedMs + fullMs);
    const { args, secrets } = await planned();
    expect(args.at(-1)).toBe('rtmp://127.0.0.1:19350/live/demo?secret=a%20secret');
    expect(secrets).toContain('a%20secret');
    expect(args.join(' ')).toContain(`-t ${fullMs / 1_000} `);
  });

  it('a second start while it runs does not change its end', async () => {
    const demo = openDemo();
    const { stopsAt } = await demo.start(thisServer);
    nowMs += 60_000;
    expect((await demo.start(thisServer)).stopsAt).toBe(stopsAt);
  });

  it('waits for the media server, and ends after its time', async () => {
    await openDemo().start(thisServer);
    rtmp = null;
    expect(await plan!()).toMatchObject({ kind: 'wait', reason: 'media-server-away' });
    nowMs += fullMs;
    expect(await plan!()).toMatchObject({ kind: 'wait', reason: 'source-ended' });
  });

  it('is stopped when its time is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const demo = openDemo();
    await demo.start(thisServer);
    nowMs += fullMs;
    vi.advanceTimersByTime(fullMs);
    await vi.waitFor(() => expect(state).toBe('stopped'), { interval: 0 });
    expect(await demo.view()).toMatchObject({ enabled: false, stopsAt: '' });
  });

  it('continues after a restart of the control plane, for the rest of its time', async () => {
    await openDemo().start(thisServer);
    nowMs += fullMs - 60_000;
    plan = (await openDemo().wanted()).get('demo')?.plan;
    expect((await planned()).args.join(' ')).toContain('-t 60 ');
    nowMs += 60_000;
    expect((await openDemo().wanted()).size).toBe(0);
  });

  it('can be stopped', async () => {
    const demo = openDemo();
    await demo.start(thisServer);
    expect(await demo.stop(thisServer)).toMatchObject({ enabled: false, state: 'stopped' });
    expect(plan).toBeUndefined();
  });
});

describe('the test pattern of the demo stream', () => {
  it('is drawn by FFmpeg: 960×540 H.264 without B-frames, and AAC', () => {
    const folder = mkdtempSync(join(tmpdir(), 'srs-demo-'));
    try {
      const file = join(folder, 'demo.flv');
      const args = demoArgs({ output: 'rtmp://127.0.0.1/live/demo', seconds: 1 }).filter((arg) => arg !== '-re');
      execFileSync('ffmpeg', [...args.slice(0, -1), file], { stdio: 'ignore' });
      const probe = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height,has_b_frames', '-of', 'json'];
      const { streams } = JSON.parse(execFileSync('ffprobe', [...probe, file], { encoding: 'utf8' }));
      expect(streams).toMatchObject([
        { codec_name: 'h264', width: 960, height: 540, has_b_frames: 0 },
        { codec_name: 'aac' },
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
