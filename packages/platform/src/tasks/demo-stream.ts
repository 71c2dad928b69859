// The demo stream: a test picture published to this server itself, so that everything can be tried without an encoder. Runs
// for a stated time and no longer, also when the control plane was killed meanwhile.
import {
  changed,
  type DemoStream,
  defaultApp,
  demoStreamMinutes,
  demoStreamName,
  switched,
  workerDetail,
} from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { encoderLimits } from '@srs-stack/programs';
import { z } from 'zod';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { demoArgs } from '../workers/ffmpeg-args/demo-args.ts';
import type { PlanResult } from '../workers/supervised-worker.ts';
import type { WorkerRegistry } from '../workers/worker-registry.ts';
import { statusOf } from './worker-rows.ts';

const demoDocument: DocumentType<{ stopsAtMs: number }> = {
  key: 'demo-stream',
  schema: z.object({ stopsAtMs: z.number() }),
  empty: { stopsAtMs: 0 },
};

const demoWorkerId = 'demo';
/** With less time left than this the demo is over: a process would end before its first picture, milliseconds. */
const shortestRunMs = 2_000;

export interface DemoStreams {
  view(): Promise<DemoStream>;
  /** Starts it for its full time; one that runs is left alone. */
  start(ip: string): Promise<DemoStream>;
  /** Resolves when the process is gone. */
  stop(ip: string): Promise<DemoStream>;
  /** Goes on with a demo that an earlier control plane began. */
  reconcile(): Promise<void>;
  close(): void;
}

export interface DemoStreamsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly workers: WorkerRegistry;
  readonly publishSecret: { current(): { publish: string } };
  readonly boundPorts: () => Promise<{ rtmp: number | null } | undefined>;
  readonly log: Log;
  readonly now: () => Date;
}

export function createDemoStreams(deps: DemoStreamsDeps): DemoStreams {
  const { store, audit, workers, publishSecret, boundPorts, log, now } = deps;
  const oneAtATime = createOneAtATime();
  let timer: NodeJS.Timeout | undefined;

  const leftMs = async () => (await store.get(demoDocument)).stopsAtMs - now().getTime();

  const plan = async (): Promise<PlanResult> => {
    const left = await leftMs();
    if (left < shortestRunMs) return { kind: 'wait', reason: 'source-ended', detail: workerDetail('demo-over') };
    const rtmp = (await boundPorts())?.rtmp;
    if (!rtmp) return { kind: 'wait', reason: 'media-server-away', detail: workerDetail('media-server-without-rtmp') };
    const { publish } = publishSecret.current();
    const output = `rtmp://127.0.0.1:${rtmp}/${defaultApp}/${demoStreamName}?secret=${encodeURIComponent(publish)}`;
    return {
      kind: 'run',
      plan: {
        mayUse: encoderLimits(),
        args: demoArgs({ output, seconds: Math.ceil(left / 1_000) }),
        secrets: [publish, encodeURIComponent(publish)],
        watchesSpeed: true,
        facts: {},
      },
    };
  };

  const end = async () => {
    clearTimeout(timer);
    await store.set(demoDocument, { stopsAtMs: 0 });
    await workers.halt(demoWorkerId);
  };

  /** A start that came first has moved the end. */
  const endIfOver = () => {
    const work = oneAtATime(async () => {
      if ((await leftMs()) < shortestRunMs) await end();
    });
    inBackground(work, log, 'demo stream not stopped');
  };

  const stopWhenOver = (left: number) => {
    clearTimeout(timer);
    timer = setTimeout(endIfOver, left).unref();
  };

  const view = async (): Promise<DemoStream> => {
    const { stopsAtMs } = await store.get(demoDocument);
    const enabled = stopsAtMs > now().getTime();
    return {
      enabled,
      app: defaultApp,
      stream: demoStreamName,
      stopsAt: enabled ? new Date(stopsAtMs).toISOString() : '',
      ...statusOf(workers.view(demoWorkerId)),
    };
  };

  return {
    view,
    start: (ip) =>
      oneAtATime(async () => {
        const isRunning = workers.view(demoWorkerId).state === 'running';
        if (isRunning && (await leftMs()) >= shortestRunMs) return view();
        const left = demoStreamMinutes * 60_000;
        await store.set(demoDocument, { stopsAtMs: now().getTime() + left });
        stopWhenOver(left);
        workers.run(demoWorkerId, plan);
        await audit.record('setting-changed', ip, changed('task.demo', { state: switched(true) }));
        return view();
      }),
    stop: (ip) =>
      oneAtATime(async () => {
        await end();
        await audit.record('setting-changed', ip, changed('task.demo', { state: switched(false) }));
        return view();
      }),
    async reconcile() {
      const left = await leftMs();
      if (left < shortestRunMs) return;
      stopWhenOver(left);
      workers.run(demoWorkerId, plan);
    },
    close: () => clearTimeout(timer),
  };
}
