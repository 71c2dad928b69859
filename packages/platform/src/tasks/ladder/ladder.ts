// Ladders of renditions: a worker per configured stream publishes the renditions. A ladder starts with its stream, or with the first
// request for the master playlist, and stops automatically (docs/decisions/ladder.md).
import { setTimeout as sleep } from 'node:timers/promises';
import {
  changed,
  defaultVhost,
  type LadderConfig,
  type LadderTask,
  ladderConfig,
  parseRenditionName,
  switched,
} from '@srs-stack/contract';
import type { Multivariant } from '@srs-stack/contract/wire/multivariant.ts';
import { matchesPattern } from '@srs-stack/playback/stream-pattern.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { MediaServer, MediaServerStream } from '../../media-server/media-server.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { CollectionType, DocumentType, Store } from '../../store/store.ts';
import type { RenditionAccess } from '../../streams/rendition-access.ts';
import type { StreamSources } from '../../streams/stream-sources.ts';
import type { PlannedTask, PlannedTasks, PlanResult } from '../../workers/worker-plan.ts';
import type { WorkerRegistry } from '../../workers/worker-registry.ts';
import { runOf, statusOf } from '../worker-rows.ts';
import { planLadder } from './ladder-plan.ts';
import { findStream, pictureShare, renditionRows, sourceOf, variantsOf } from './ladder-rows.ts';
import { isForOther, planLadderRun, planOf } from './ladder-run.ts';
import { LadderWatch } from './ladder-watch.ts';

const ladderDocument: DocumentType<LadderConfig> = {
  key: 'ladder',
  schema: ladderConfig,
  empty: ladderConfig.parse({}),
};

interface Run {
  readonly app: string;
  readonly stream: string;
}

/** Streams of the started ladders by worker id. */
const runs: CollectionType<Run> = {
  name: 'ladder-runs',
  schema: z.object({ app: z.string(), stream: z.string() }),
};

export const ladderPrefix = 'ladder:';
export const ladderRunsName = runs.name;

const lookEveryMs = 2_000;
/** Cache time of the stream list for playlist requests, milliseconds. */
const lookCacheMs = 500;
/** A ladder without a source stops after this time, milliseconds. Encoders usually reconnect earlier. */
const sourceGoneMs = 30_000;
/** After the first media, the playlist waits this long for missing renditions, milliseconds. */
const settledMs = 5_000;

export interface LadderDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly workers: WorkerRegistry;
  readonly sources: StreamSources;
  /** Also lists renditions as streams. */
  readonly mediaServer: Pick<MediaServer, 'listStreams'>;
  readonly door: Pick<RenditionAccess, 'query'>;
  readonly boundPorts: () => Promise<{ rtmp: number | null } | undefined>;
  readonly isPaused: () => boolean;
  readonly log: Log;
  readonly nowMs?: () => number;
}

export class Ladder {
  readonly #deps: LadderDeps;
  readonly #nowMs: () => number;
  readonly #oneAtATime = createOneAtATime();
  readonly #watches = new Map<string, LadderWatch>();
  #look: { readonly atMs: number; readonly streams: Promise<MediaServerStream[] | undefined> } | undefined;

  constructor(deps: LadderDeps) {
    this.#deps = deps;
    this.#nowMs = deps.nowMs ?? (() => performance.now());
  }

  current(): Promise<LadderConfig> {
    return this.#deps.store.get(ladderDocument);
  }

  async apply(config: LadderConfig, actor: Actor): Promise<void> {
    await this.#oneAtATime(async () => {
      await this.#deps.store.set(ladderDocument, config);
      for (const [id, run] of await this.#runs()) {
        if (isFor(config, run)) this.#deps.workers.run(id, this.#taskOf(id, run).plan, this.#taskOf(id, run).suits);
        else await this.#end(id);
      }
    });
    await this.#deps.audit.record(
      'setting-changed',
      actor,
      changed('task.ladder', { state: switched(config.enabled) }),
    );
    await this.look();
  }

  async tasks(): Promise<LadderTask[]> {
    const streams = (await this.#streams()) ?? [];
    const nowMs = this.#nowMs();
    return [...(await this.#runs())].map(([id, { app, stream }]) => {
      const view = this.#deps.workers.view(id);
      const plan = planOf(view.facts);
      const watch = this.#watches.get(id);
      return {
        url: `${app}/${stream}`,
        ...{ app, stream, playlist: `/${app}/${stream}/master.m3u8` },
        renditions: renditionRows(plan?.renditions ?? [], { app, stream }, streams),
        leftOut: [...(plan?.leftOut ?? [])],
        speed: watch?.speed ?? 0,
        isTooSlow: watch?.isTooSlow(nowMs) ?? false,
        ...runOf(view),
        ...statusOf(view),
      };
    });
  }

  /** The variants of a stream. Starts the ladder unless `isPeek` is set. */
  async variants({ vhost, app, stream, isPeek }: Run & { vhost: string; isPeek: boolean }): Promise<Multivariant> {
    const none: Multivariant = { state: 'none', variants: [] };
    const config = await this.current();
    const isWanted = vhost === defaultVhost && !parseRenditionName(stream) && isFor(config, { app, stream });
    const streams = isWanted ? await this.#streams() : undefined;
    const row = streams && findStream(streams, app, stream);
    if (!streams || !row?.isPublished) return none;
    const alone: Multivariant = {
      state: 'ready',
      variants: variantsOf([{ step: 'source' }], { app, stream }, streams, true),
    };
    const id = idOf({ app, stream });
    if (isPeek) {
      const hasSteps = planLadder(config, sourceOf(row)).renditions.some(({ kind }) => kind === 'picture');
      return hasSteps && !this.#deps.isPaused() ? alone : none;
    }
    if (this.#deps.isPaused() || !(await this.#begin(id, { app, stream }, config))) return alone;
    const [watch, nowMs] = [this.#watchOf(id), this.#nowMs()];
    watch.ask(nowMs);
    const view = this.#deps.workers.view(id);
    const planned = (planOf(view.facts) ?? planLadder(config, sourceOf(row))).renditions;
    if (!planned.some(({ kind }) => kind === 'picture')) return alone;
    const variants = variantsOf(planned, { app, stream }, streams);
    if (variants.length === planned.length) return { state: 'ready', variants };
    const hasPicture = variants.some(({ height }) => height > 0);
    const soFar = hasPicture ? variants : alone.variants;
    // The playlist waits only for a limited time: a track that is announced may never be sent.
    const isSettled = watch.sendsForMs(nowMs) > settledMs;
    const isComing = !isSettled && view.state !== 'retrying' && view.state !== 'error';
    return { state: isComing ? 'starting' : 'ready', variants: soFar };
  }

  async wanted(): Promise<PlannedTasks> {
    return new Map([...(await this.#runs())].map(([id, run]) => [id, this.#taskOf(id, run)]));
  }

  async run(signal: AbortSignal): Promise<void> {
    let isFailing = false;
    while (!signal.aborted) {
      try {
        await this.look();
        isFailing = false;
      } catch (error) {
        if (!isFailing) this.#deps.log.warn({ err: error }, 'periodic check of ladders failed');
        isFailing = true;
      }
      await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async look(): Promise<void> {
    const [config, running] = await Promise.all([this.current(), this.#runs()]);
    const startsAutomatically = config.enabled && config.start === 'live';
    // Polling costs CPU time in control plane and gateway, so nothing is polled when no ladder needs the result.
    if (!startsAutomatically && running.size === 0) return;
    const streams = await this.#streams();
    if (!streams) return;
    if (startsAutomatically) {
      for (const { app, stream, ...row } of streams.filter(isOwnStream)) {
        if (!row.isPublished || row.vhost !== defaultVhost || !isFor(config, { app, stream })) continue;
        await this.#begin(idOf({ app, stream }), { app, stream }, config);
      }
    }
    for (const [id, run] of await this.#runs()) await this.#lookAt(id, run, { config, streams });
  }

  async #lookAt(
    id: string,
    run: Run,
    { config, streams }: { config: LadderConfig; streams: readonly MediaServerStream[] },
  ): Promise<void> {
    const nowMs = this.#nowMs();
    const watch = this.#watchOf(id);
    const view = this.#deps.workers.view(id);
    const source = findStream(streams, run.app, run.stream);
    if (source?.isPublished) watch.seeSource(nowMs);
    const rows = renditionRows(planOf(view.facts)?.renditions ?? [], run, streams);
    const viewers = rows.reduce((sum, row) => sum + row.viewers, 0);
    watch.look({ viewers, sentMs: view.sentMs, pictureShare: pictureShare(rows, source) }, nowMs);
    const isIdle = config.start === 'demand' && watch.idleMs(nowMs) >= config.idleSeconds * 1_000;
    if (!isFor(config, run) || isIdle || watch.sourceGoneMs(nowMs) >= sourceGoneMs) {
      await this.#oneAtATime(() => this.#end(id));
      return;
    }
    if (source?.isPublished && isForOther(view.facts, source)) {
      this.#deps.workers.run(id, this.#taskOf(id, run).plan, this.#taskOf(id, run).suits);
    }
  }

  /** Starts a ladder. Returns false if the maximum number of ladders is running. */
  async #begin(id: string, run: Run, { maxRunning }: LadderConfig): Promise<boolean> {
    const table = await this.#runs();
    if (table.has(id)) return true;
    return this.#oneAtATime(async () => {
      const now = await this.#runs();
      if (now.has(id)) return true;
      if (now.size >= maxRunning) return false;
      await this.#deps.store.collection(runs).put(id, run);
      this.#watches.set(id, new LadderWatch(this.#nowMs()));
      this.#deps.workers.run(id, this.#taskOf(id, run).plan, this.#taskOf(id, run).suits);
      return true;
    });
  }

  async #end(id: string): Promise<void> {
    this.#watches.delete(id);
    await this.#deps.store.collection(runs).remove(id);
    await this.#deps.workers.remove(id);
  }

  #runs(): Promise<Map<string, Run>> {
    return this.#deps.store.collection(runs).entries();
  }

  #watchOf(id: string): LadderWatch {
    const known = this.#watches.get(id) ?? new LadderWatch(this.#nowMs());
    this.#watches.set(id, known);
    return known;
  }

  /** Undefined while the media server does not respond. */
  #streams(): Promise<MediaServerStream[] | undefined> {
    const atMs = this.#nowMs();
    if (!this.#look || atMs - this.#look.atMs >= lookCacheMs) {
      this.#look = { atMs, streams: this.#deps.mediaServer.listStreams().catch(() => undefined) };
    }
    return this.#look.streams;
  }

  #taskOf(_id: string, run: Run): PlannedTask {
    const isSame = ({ app, stream }: Run) => app === run.app && stream === run.stream;
    const choose = () => this.#deps.sources.choose(isSame);
    return { plan: () => this.#plan(run, choose), suits: async () => (await choose()).kind === 'found' };
  }

  async #plan(run: Run, choose: () => ReturnType<StreamSources['choose']>): Promise<PlanResult> {
    const [config, choice, streams, ports] = await Promise.all([
      this.current(),
      choose(),
      this.#streams(),
      this.#deps.boundPorts(),
    ]);
    return planLadderRun({
      ...{ ...run, config, choice, streams },
      rtmpPort: ports?.rtmp,
      key: this.#deps.door.query,
      isLive: (source) => this.#deps.sources.isLive(source),
    });
  }
}

function idOf({ app, stream }: Run): string {
  return `${ladderPrefix}${app}/${stream}`;
}

function isFor({ enabled, streams }: LadderConfig, { app, stream }: Run): boolean {
  return enabled && (streams.length === 0 || streams.some((pattern) => matchesPattern(pattern, `${app}/${stream}`)));
}

function isOwnStream({ stream }: MediaServerStream): boolean {
  return parseRenditionName(stream) === undefined;
}
