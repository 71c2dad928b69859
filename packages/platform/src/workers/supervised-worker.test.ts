import { workerDetail } from '@srs-stack/contract';
import { forwardLimits } from '@srs-stack/process/programs/media-limits.ts';
import { describe, expect, it } from 'vitest';
import { createFakeClock, createFakeProcesses } from '../testing/fake-processes.ts';
import { retryBackOff } from './back-off.ts';
import { maxPauseMs, stallMs } from './stall-watch.ts';
import { createSupervisedWorker, planIntervalMs, provenRunMs, stopGraceMs } from './supervised-worker.ts';
import type { PlanResult, WorkerPlan } from './worker-plan.ts';

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const plan: WorkerPlan = {
  args: ['-i', 'rtmp://127.0.0.1/live/s', 'rtmp://t/live/secret-key'],
  secrets: ['secret-key'],
  mayUse: forwardLimits,
  watchesSpeed: true,
  facts: { stream: 'live/s' },
};

function setUp(options: { startError?: string } = {}) {
  const processes = createFakeProcesses(options);
  const clock = createFakeClock();
  const remembered: (number | undefined)[] = [];
  const state = { next: { kind: 'run', plan } as PlanResult };
  const worker = createSupervisedWorker('test', async () => state.next, {
    launch: processes.launch,
    clock,
    random: () => 0.5,
    log: silent,
    remember: async (pid) => void remembered.push(pid),
    forget: async () => void remembered.push(undefined),
  });
  const run = async (seconds: number, from = 0) => {
    for (let n = 1; n <= seconds; n++) {
      processes.all.at(-1)?.progress((from + n) * 1_000_000);
      await clock.advance(1_000);
    }
  };
  return { processes, clock, worker, state, remembered, run };
}

describe('a worker', () => {
  it('is idle until it is started, then starts, then runs', async () => {
    const { worker, clock, processes, remembered } = setUp();
    expect(worker.view()).toMatchObject({ state: 'idle', pid: 0, command: '' });
    await worker.start();
    await clock.advance(0);
    expect(worker.view()).toMatchObject({ state: 'starting', frame: { log: '', update: '' }, ready: '' });
    expect(worker.view().command).toBe('ffmpeg -i rtmp://127.0.0.1/live/s rtmp://t/live/******');
    const [process] = processes.all;
    process?.options.onStderr('Output to rtmp://t/live/secret-key\nsize= 1kB time=00:00:01.00 speed= 1x\r');
    process?.progress(1);
    expect(worker.view()).toMatchObject({
      state: 'running',
      facts: plan.facts,
      frame: { log: 'size=1kB time=00:00:01.00 speed=1x' },
    });
    expect(worker.view().ready).not.toBe('');
    expect(worker.view().firstText).toBe('Output to rtmp://t/live/******');
    expect(worker.logs()).toEqual(['Output to rtmp://t/live/******', 'size=1kB time=00:00:01.00 speed=1x']);
    expect(remembered).toEqual([process?.pid]);
    await worker.stop();
    expect(worker.view()).toMatchObject({ state: 'stopped', pid: 0, frame: undefined, retryInMs: 0 });
    expect(remembered.at(-1)).toBeUndefined();
  });

  it('that sends only audio of a source with video never runs, and fails with the reason after 10 s', async () => {
    const { worker, clock, state, processes, run } = setUp();
    state.next = { kind: 'run', plan: { ...plan, hasPicture: () => true } };
    await worker.start();
    await run(9);
    expect(worker.view()).toMatchObject({ state: 'starting', ready: '' });
    await run(1, 9);
    expect(processes.all[0]?.signals).toEqual(['SIGKILL']);
    expect(worker.view()).toMatchObject({ state: 'retrying', reason: 'no-picture' });
    expect(worker.view().reasonDetail).toContain('FFmpeg 6.1');
    await clock.advance(0);
  });

  it('whose video stops while its source has video is no longer running 10 s later', async () => {
    const { worker, clock, state, processes, run } = setUp();
    let hasPicture = true;
    state.next = { kind: 'run', plan: { ...plan, hasPicture: () => hasPicture } };
    await worker.start();
    await clock.advance(0);
    processes.all[0]?.progress(1, 1);
    expect(worker.view().state).toBe('running');
    hasPicture = false;
    await run(30);
    expect(worker.view().state).toBe('running');
    hasPicture = true;
    await run(9, 30);
    expect(worker.view().state).toBe('running');
    await run(1, 39);
    expect(worker.view()).toMatchObject({ state: 'retrying', reason: 'no-picture' });
  });

  it('runs with audio only when its source has no video any more', async () => {
    const { worker, state, run } = setUp();
    state.next = { kind: 'run', plan: { ...plan, hasPicture: () => false } };
    await worker.start();
    await run(12);
    expect(worker.view().state).toBe('running');
  });

  it('waits for its source and retries', async () => {
    const { worker, clock, state, processes } = setUp();
    state.next = { kind: 'wait', reason: 'source-not-live', detail: workerDetail('no-stream') };
    await worker.start();
    await clock.advance(5_000);
    expect(worker.view()).toMatchObject({
      state: 'waiting',
      reason: 'source-not-live',
      reasonDetail: 'no stream is live',
      detail: { key: 'no-stream', values: {} },
    });
    expect(processes.all).toHaveLength(0);
    state.next = { kind: 'run', plan };
    await clock.advance(planIntervalMs);
    expect(worker.view().state).toBe('starting');
  });

  it('ends a run after the duration set in its source, and starts the next one without back-off', async () => {
    const { worker, clock, state, processes, run } = setUp();
    state.next = { kind: 'run', plan: { ...plan, limits: { longestRunMs: 15_000 } } };
    await worker.start();
    await clock.advance(0);
    for (let n = 1; n <= 5; n++) {
      await run(17);
      expect(processes.all).toHaveLength(n + 1);
      expect(worker.view()).toMatchObject({ restarts: n });
    }
    expect(processes.all.slice(0, -1).every(({ signals }) => signals.join() === 'SIGKILL')).toBe(true);
    expect(processes.peak()).toBe(1);
  });

  it('retries with growing pauses, and resets them after a successful run', async () => {
    const { worker, clock, processes, run } = setUp();
    await worker.start();
    await clock.advance(0);
    const pauses: number[] = [];
    for (let n = 0; n < 8; n++) {
      processes.all.at(-1)?.options.onStderr('[tcp @ 0x1] Connection refused\n');
      processes.all.at(-1)?.exit({ code: 1 });
      await clock.advance(0);
      const view = worker.view();
      expect(view).toMatchObject({
        state: 'retrying',
        reason: 'connection-refused',
        reasonDetail: 'Connection refused',
        detail: { key: 'verbatim', values: { words: 'Connection refused' } },
      });
      pauses.push(view.retryInMs);
      await clock.advance(view.retryInMs);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    expect(worker.view().restarts).toBe(8);
    await run(provenRunMs / 1_000 + 1);
    expect(worker.view()).toMatchObject({ state: 'running', lastError: { reason: 'connection-refused' } });
    processes.all.at(-1)?.exit({ code: 1 });
    await clock.advance(0);
    expect(worker.view().retryInMs).toBe(retryBackOff.firstMs);
  });

  it('kills a process without progress and reports whether source or target is silent', async () => {
    const { worker, clock, processes, run } = setUp();
    await worker.start();
    await clock.advance(0);
    processes.all[0]?.options.onStderr('Input #0, flv, from x\n');
    await clock.advance(stallMs + 500);
    expect(worker.view()).toMatchObject({ reason: 'timeout', reasonDetail: expect.stringContaining('the target') });
    await clock.advance(2_000);
    await run(5);
    await clock.advance(stallMs + 500);
    expect(worker.view()).toMatchObject({ reason: 'stalled', state: 'retrying' });
    expect(processes.all.map(({ signals }) => signals.at(-1)).slice(0, 2)).toEqual(['SIGKILL', 'SIGKILL']);
  });

  it('lets a process wait while its source pauses', async () => {
    const { worker, clock, processes, state, run } = setUp();
    let isLive = true;
    state.next = { kind: 'run', plan: { ...plan, isSourceLive: () => isLive } };
    await worker.start();
    await clock.advance(0);
    await run(3);
    isLive = false;
    await clock.advance(3 * stallMs);
    expect(worker.view()).toMatchObject({ state: 'waiting', reason: 'source-paused' });
    isLive = true;
    await run(2, 3);
    expect(worker.view().state).toBe('running');
    expect(processes.all).toHaveLength(1);
    isLive = false;
    await clock.advance(maxPauseMs + 2_000);
    expect(processes.all.length).toBeGreaterThan(1);
  });

  it('keeps a process running while the state of its source is unknown', async () => {
    const { worker, clock, processes, state, run } = setUp();
    let isKnown = true;
    const isSourceLive = async () => {
      if (!isKnown) throw new Error('the store is unavailable');
      return true;
    };
    state.next = { kind: 'run', plan: { ...plan, isSourceLive } };
    await worker.start();
    await clock.advance(0);
    await run(3);
    isKnown = false;
    await run(20, 3);
    expect(worker.view().state).toBe('running');
    isKnown = true;
    await run(2, 23);
    expect(processes.all).toHaveLength(1);
  });

  it('plans again immediately when its source ended', async () => {
    const { worker, clock, processes, run } = setUp();
    await worker.start();
    await clock.advance(0);
    await run(3);
    processes.all[0]?.exit({ code: 0 });
    await clock.advance(0);
    expect(worker.view()).toMatchObject({ state: 'waiting', reason: 'source-ended' });
    await clock.advance(500);
    expect(processes.all).toHaveLength(2);
  });

  it('shows failures that need the operator as an error, and retries at long intervals', async () => {
    const { worker, clock, processes } = setUp();
    await worker.start();
    await clock.advance(0);
    processes.all[0]?.options.onStderr('[flv @ 0x1] Video codec hevc not compatible with flv\n');
    processes.all[0]?.exit({ code: 1 });
    await clock.advance(0);
    expect(worker.view()).toMatchObject({ state: 'error', reason: 'codec-unsupported', retryInMs: 5_000 });
    await clock.advance(5_000);
    expect(processes.all).toHaveLength(2);
  });

  it('reports that FFmpeg is missing', async () => {
    const { worker, clock } = setUp({ startError: 'ENOENT' });
    await worker.start();
    await clock.advance(0);
    expect(worker.view()).toMatchObject({ state: 'error', reason: 'ffmpeg-missing' });
    await worker.stop();
  });

  it('kills a process that ignores SIGTERM', async () => {
    const { worker, clock, processes } = setUp();
    await worker.start();
    await clock.advance(0);
    const [process] = processes.all;
    if (process) process.obeys = false;
    const stopped = worker.stop();
    await clock.advance(stopGraceMs + 100);
    await stopped;
    expect(process?.signals).toEqual(['SIGTERM', 'SIGKILL']);
    expect(worker.view().state).toBe('stopped');
  });

  it('never runs twice, however often it is started and stopped', async () => {
    const { worker, clock, processes } = setUp();
    const calls: Promise<void>[] = [];
    for (let n = 0; n < 30; n++) {
      calls.push(n % 4 === 3 ? worker.stop() : worker.start());
      if (n % 5 === 0) await clock.advance(100);
      const last = processes.all.at(-1);
      if (last) last.obeys = n % 2 === 0;
    }
    const done = Promise.all(calls);
    await clock.advance(60_000);
    await done;
    expect(processes.peak()).toBe(1);
    const stopped = worker.stop();
    await clock.advance(stopGraceMs + 100);
    await stopped;
    expect(processes.all.every(({ isRunning }) => !isRunning)).toBe(true);
  });

  it('survives a planner that throws', async () => {
    const processes = createFakeProcesses();
    const clock = createFakeClock();
    let fails = true;
    const worker = createSupervisedWorker(
      'test',
      async () => {
        if (fails) throw new Error('store away');
        return { kind: 'run', plan };
      },
      {
        launch: processes.launch,
        clock,
        random: () => 0.5,
        log: silent,
        remember: async () => {},
        forget: async () => {},
      },
    );
    await worker.start();
    await clock.advance(0);
    expect(worker.view()).toMatchObject({ state: 'retrying', reason: 'failed' });
    fails = false;
    await clock.advance(1_000);
    expect(worker.view().state).toBe('starting');
  });
});
