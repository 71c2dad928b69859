// At random (seeded) times, the process of a worker is killed, its target refuses, its source pauses, or the worker is restarted. The clock
// is simulated. Ten seconds after each event, the state is correct. Two processes never run simultaneously.
import { workerDetail } from '@srs-stack/contract';
import { forwardLimits } from '@srs-stack/process/programs/media-limits.ts';
import { describe, expect, it } from 'vitest';
import { createFakeClock, createFakeProcesses } from '../testing/fake-processes.ts';
import { retryBackOff } from './back-off.ts';
import { createSupervisedWorker, provenRunMs, stopGraceMs } from './supervised-worker.ts';
import type { PlanResult, WorkerPlan } from './worker-plan.ts';

/** Maximum time until the displayed state is correct, milliseconds: one refresh of the page. */
const rightWithinMs = 10_000;
const events = 60;
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const plan: WorkerPlan = { mayUse: forwardLimits, args: ['-i', 'a', 'b'], secrets: [], watchesSpeed: true, facts: {} };

function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe.each([1, 2, 3, 20_261_121])('with seed %d', (seed) => {
  it('reports the correct state within ten seconds of every kill, with one process at most', async () => {
    const random = seeded(seed);
    const processes = createFakeProcesses();
    const clock = createFakeClock();
    let isSourceLive = true;
    const worker = createSupervisedWorker(
      'test',
      async (): Promise<PlanResult> =>
        isSourceLive
          ? { kind: 'run', plan: { ...plan, isSourceLive: () => isSourceLive } }
          : { kind: 'wait', reason: 'source-not-live', detail: workerDetail('no-stream') },
      {
        launch: processes.launch,
        clock,
        random,
        log: silent,
        remember: async () => undefined,
        forget: async () => undefined,
      },
    );
    let refuses = false;
    let media = 0;
    /** Simulates one second of FFmpeg: progress while the source is live, an exit when the target refuses. */
    const second = async () => {
      const process = processes.all.at(-1);
      if (process?.isRunning && refuses) {
        process.options.onStderr('[tcp @ 0x1] Connection refused\n');
        process.exit({ code: 1 });
      } else if (process?.isRunning && isSourceLive) {
        media += 1_000_000;
        process.progress(media);
      }
      await clock.advance(1_000);
    };
    const seconds = async (count: number) => {
      for (let n = 0; n < count; n += 1) await second();
    };
    const running = () => processes.all.filter((each) => each.isRunning);

    await worker.start();
    await seconds(2);
    for (let event = 0; event < events; event += 1) {
      await clock.advance(Math.floor(random() * 1_500));
      const kind = Math.floor(random() * 4);
      if (kind === 0) running()[0]?.exit({ signal: 'SIGKILL' });
      if (kind === 1) refuses = !refuses;
      if (kind === 2) isSourceLive = !isSourceLive;
      // Saved settings restart the worker with the newest plan.
      if (kind === 3) await Promise.all([worker.start(), clock.advance(stopGraceMs)]);
      await seconds(rightWithinMs / 1_000);

      const view = worker.view();
      const [only] = running();
      expect(running().length, `event ${event}`).toBeLessThanOrEqual(1);
      expect(view.pid, `event ${event}`).toBe(only?.pid ?? 0);
      if (view.state === 'retrying') {
        expect(only, `event ${event}`).toBeUndefined();
        expect(['killed', 'connection-refused']).toContain(view.reason);
        expect(view.retryInMs).toBeLessThanOrEqual(retryBackOff.capMs * (1 + retryBackOff.jitter));
      } else if (!isSourceLive) expect(view.state, `event ${event}`).toBe('waiting');
      else if (refuses) expect(['starting', 'retrying'], `event ${event}`).toContain(view.state);
      else {
        // After a pause, the process has one second to send media.
        if (view.state === 'starting') await second();
        expect(worker.view().state, `event ${event}`).toBe('running');
      }
    }

    refuses = false;
    isSourceLive = true;
    await seconds(retryBackOff.capMs * (1 + retryBackOff.jitter) * 0.001 + 2);
    expect(worker.view().state).toBe('running');
    await seconds(provenRunMs / 1_000);
    // After the target worked for a while, a failure is retried soon.
    running()[0]?.exit({ signal: 'SIGKILL' });
    await clock.advance(0);
    expect(worker.view().retryInMs).toBeLessThanOrEqual(retryBackOff.firstMs * (1 + retryBackOff.jitter));
    await clock.advance(retryBackOff.firstMs * (1 + retryBackOff.jitter) + 100);
    expect(running()).toHaveLength(1);
    expect(processes.peak()).toBe(1);
    await Promise.all([worker.stop(), clock.advance(stopGraceMs)]);
    expect(running()).toEqual([]);
  });
});
