// The demo stream: a test pattern that the server publishes to itself, for trying everything without an encoder. The stream ends after a
// fixed time, even if the control plane is killed.
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
import { encoderLimits } from '@srs-stack/process/programs/media-limits.ts';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { AuditTrail } from '../store/audit-trail.ts';
import type { DocumentType, Store } from '../store/store.ts';
import { demoArgs } from '../workers/ffmpeg-args/demo-args.ts';
import type { PlannedTasks, PlanResult } from '../workers/worker-plan.ts';
import type { WorkerRegistry } from '../workers/worker-registry.ts';
import { statusOf } from './worker-rows.ts';

const demoDocument: DocumentType<{ stopsAtMs: number }> = {
  key: 'demo-stream',
  schema: z.object({ stopsAtMs: z.number() }),
  empty: { stopsAtMs: 0 },
};

export const demoWorkerId = 'demo';
/** The demo ends if less time remains, milliseconds: a new process would end before its first frame. */
const shortestRunMs = 2_000;

export interface DemoStreams {
  view(): Promise<DemoStream>;
  /** Starts the demo for its full time. Does nothing while the demo runs. */
  start(actor: Actor): Promise<DemoStream>;
  stop(actor: Actor): Promise<DemoStream>;
  /** The running demo by worker id, even if another control plane started the demo. */
  wanted(): Promise<PlannedTasks>;
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
  return new FfmpegDemoStreams(deps);
}

class FfmpegDemoStreams implements DemoStreams {
  readonly #deps: DemoStreamsDeps;
  readonly #oneAtATime = createOneAtATime();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DemoStreamsDeps) {
    this.#deps = deps;
  }

  async view(): Promise<DemoStream> {
    const { stopsAtMs } = await this.#deps.store.get(demoDocument);
    const enabled = stopsAtMs > this.#deps.now().getTime();
    return {
      enabled,
      app: defaultApp,
      stream: demoStreamName,
      stopsAt: enabled ? new Date(stopsAtMs).toISOString() : '',
      ...statusOf(this.#deps.workers.view(demoWorkerId)),
    };
  }

  start(actor: Actor): Promise<DemoStream> {
    return this.#oneAtATime(async () => {
      const isRunning = this.#deps.workers.view(demoWorkerId).state === 'running';
      if (isRunning && (await this.#leftMs()) >= shortestRunMs) return this.view();
      const left = demoStreamMinutes * 60_000;
      await this.#deps.store.set(demoDocument, { stopsAtMs: this.#deps.now().getTime() + left });
      this.#stopWhenOver(left);
      this.#deps.workers.run(demoWorkerId, () => this.#plan());
      await this.#deps.audit.record('setting-changed', actor, changed('task.demo', { state: switched(true) }));
      return this.view();
    });
  }

  stop(actor: Actor): Promise<DemoStream> {
    return this.#oneAtATime(async () => {
      await this.#end();
      await this.#deps.audit.record('setting-changed', actor, changed('task.demo', { state: switched(false) }));
      return this.view();
    });
  }

  async wanted(): Promise<PlannedTasks> {
    const left = await this.#leftMs();
    if (left < shortestRunMs) return new Map();
    this.#stopWhenOver(left);
    return new Map([[demoWorkerId, { plan: () => this.#plan(), suits: async () => true }]]);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #leftMs() {
    return (await this.#deps.store.get(demoDocument)).stopsAtMs - this.#deps.now().getTime();
  }

  async #end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#deps.store.set(demoDocument, { stopsAtMs: 0 });
    await this.#deps.workers.halt(demoWorkerId);
  }

  #stopWhenOver(left: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#endIfOver(), left).unref();
  }

  async #plan(): Promise<PlanResult> {
    const left = await this.#leftMs();
    if (left < shortestRunMs) return { kind: 'wait', reason: 'source-ended', detail: workerDetail('demo-over') };
    const rtmp = (await this.#deps.boundPorts())?.rtmp;
    if (!rtmp) return { kind: 'wait', reason: 'media-server-away', detail: workerDetail('media-server-without-rtmp') };
    const { publish } = this.#deps.publishSecret.current();
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
  }

  /** Ends the demo if its time is over. A concurrent start may have extended the time. */
  #endIfOver() {
    const work = this.#oneAtATime(async () => {
      if ((await this.#leftMs()) < shortestRunMs) await this.#end();
    });
    inBackground(work, this.#deps.log, 'demo stream could not be stopped');
  }
}
