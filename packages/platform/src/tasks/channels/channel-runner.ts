// Runs the enabled channels: resolves files, prepares one file at a time, writes orders for the gateways of this machine, and logs played
// items.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultApp } from '@srs-stack/contract';
import type { ChannelProblem, ChannelState } from '@srs-stack/contract/models/channel.ts';
import type { SrsChannelRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { defaultVhost } from '@srs-stack/media/stream-key.ts';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { type ChannelOrder, channelOrdersFile, writeChannelOrders } from '@srs-stack/process/channel-orders.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import type { NodeRegistry } from '../../nodes/node-registry.ts';
import type { Collection, CollectionType, Store } from '../../store/store.ts';
import type { AsRunLog } from './as-run-log.ts';
import { ChannelRun } from './channel-run.ts';
import { liveTitles } from './channel-schedule.ts';
import type { StoredChannel } from './channel-settings.ts';
import { type ChannelSourcesDeps, darkScreenPath, type ResolvedItems, resolveItems } from './channel-sources.ts';
import type { NeededFile, PreparedFiles } from './prepared-files.ts';
import type { Schedule } from './schedule.ts';

const lookEveryMs = 1_000;
/** Interval of resolving files and folders, milliseconds. After a change by the operator, files are resolved immediately. */
const resolveEveryMs = 5_000;
/** Mode of the order file: the file contains the publish secret. */
const readableByOwner = 0o600;

const clip = z.object({
  ...{ id: z.string(), file: z.string(), durationMs: z.number(), loops: z.boolean() },
  live: z.string().default(''),
});
const schedule: z.ZodType<Schedule> = z.object({
  zone: z.string(),
  playlist: z.array(clip),
  weekly: z.array(
    z.object({ days: z.array(z.number()), minuteOfDay: z.number(), longestMs: z.number(), clips: z.array(clip) }),
  ),
  filler: clip,
  anchor: z.object({ atMs: z.number(), positionMs: z.number() }),
  ended: z.array(z.object({ startMs: z.number(), endMs: z.number() })).default([]),
});
/** Schedules by channel id: after a restart, the new process continues at the stored position. */
const runs: CollectionType<Schedule> = { name: 'channel-runs', schema: schedule };

export interface ChannelRunnerDeps extends ChannelSourcesDeps {
  readonly store: Store;
  readonly dataDir: string;
  readonly canPlay: boolean;
  readonly listChannels: () => Promise<SrsChannelRow[]>;
  readonly publishSecret: { current(): { readonly publish: string } };
  readonly requireSpace: (bytes: number) => Promise<void>;
  readonly prepared: PreparedFiles;
  readonly asRun: AsRunLog;
  readonly channels: () => Promise<StoredChannel[]>;
  readonly isOwn: (channel: StoredChannel) => boolean;
  readonly nodes: Pick<NodeRegistry, 'self' | 'list' | 'isGone'>;
  readonly endTakeover: (id: string, takeover: string) => Promise<void>;
  readonly log: Log;
  readonly now: () => Date;
}

interface Active {
  channel: StoredChannel;
  readonly run: ChannelRun;
  items: ResolvedItems;
}

export class ChannelRunner {
  readonly #deps: ChannelRunnerDeps;
  readonly #runs: Collection<Schedule>;
  readonly #active = new Map<string, Active>();
  #rows: readonly SrsChannelRow[] = [];
  #written = '';
  #resolveAtMs = 0;
  #wake: (() => void) | undefined;

  constructor(deps: ChannelRunnerDeps) {
    this.#deps = deps;
    this.#runs = deps.store.collection(runs);
  }

  look(): void {
    this.#resolveAtMs = 0;
    this.#wake?.();
  }

  /** Runs until the signal aborts. Gateways keep their orders afterwards. */
  async run(signal: AbortSignal): Promise<void> {
    if (!this.#deps.canPlay) return;
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await this.#lookOnce().catch((error) => this.#deps.log.error({ err: error }, 'channels could not be updated'));
      const pause = sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
      const { ended } = this.#deps.prepared;
      await Promise.race([pause, woken, ...(ended ? [ended] : [])]);
    }
    await this.#deps.prepared.close();
  }

  runOf(id: string): ChannelRun | undefined {
    return this.#active.get(id)?.run;
  }

  playing(stream: string): { readonly channel: StoredChannel; readonly run: ChannelRun } | undefined {
    return [...this.#active.values()].find(({ channel }) => channel.stream === stream);
  }

  stateOf(channel: StoredChannel): Omit<ChannelState, 'channel'> {
    const active = this.#active.get(channel.id);
    const row = this.#rows.find(({ id }) => id === channel.id);
    const nowMs = this.#deps.now().getTime();
    const shown = active?.run.now(nowMs);
    return {
      state: this.#nameOfState(channel, active, row),
      reason: row?.state === 'waiting' ? row.reason : '',
      now: shown?.now ?? null,
      next: shown?.next ?? null,
      server: this.#deps.isOwn(channel) ? '' : this.#nodeOf(channel).name,
      startsWith: active?.run.startsWith ?? '',
      live: active ? liveOf(channel, row) : null,
      preparation: this.#preparationOf(active),
      problems: active ? this.#problemsOf(active) : [],
    };
  }

  #nameOfState(
    channel: StoredChannel,
    active: Active | undefined,
    row: SrsChannelRow | undefined,
  ): ChannelState['state'] {
    if (!this.#deps.canPlay) return 'unsupported';
    if (!channel.enabled) return 'off';
    if (!this.#deps.isOwn(channel)) return this.#nodeOf(channel).isGone ? 'unreachable' : 'elsewhere';
    if (!active?.run.schedule) return 'preparing';
    return row?.state ?? 'waiting';
  }

  /** The node that plays a channel. In a cluster, `node` of a channel is `{node id}:{data folder}`. */
  #nodeOf({ node, nodeName }: StoredChannel): { name: string; isGone: boolean } {
    const { nodes } = this.#deps;
    const known = nodes.list().find(({ id }) => node.startsWith(`${id}:`));
    return { name: known?.name ?? (nodeName || node), isGone: nodes.isGone(known?.id ?? node.split(':', 1)[0]!) };
  }

  async #lookOnce(): Promise<void> {
    const { prepared } = this.#deps;
    const nowMs = this.#deps.now().getTime();
    await prepared.refresh();
    await this.#follow(nowMs);
    await this.#followGateways();
    prepared.prepare(this.#wantedFiles());
    for (const active of this.#active.values()) await this.#update(active, nowMs);
    await this.#writeOrders();
    this.#rows = await this.#deps.listChannels().catch(() => []);
    await this.#deps.asRun.take(this.#rows, { titleOf: (id, entry) => this.runOf(id)?.titleOf(entry) ?? '' });
  }

  async #follow(nowMs: number): Promise<void> {
    if (nowMs < this.#resolveAtMs && nowMs >= this.#resolveAtMs - resolveEveryMs) return;
    this.#resolveAtMs = nowMs + resolveEveryMs;
    const all = await this.#deps.channels();
    const own = all.filter((channel) => this.#deps.isOwn(channel));
    for (const id of [...this.#active.keys()]) {
      if (own.some((channel) => channel.id === id && channel.enabled)) continue;
      this.#active.delete(id);
      await this.#runs.remove(id);
    }
    const kept = new Set<string>();
    for (const channel of own) {
      const items = await resolveItems(channel, this.#deps);
      for (const { files } of items.values()) for (const { prepared } of files) kept.add(prepared);
      kept.add(darkScreenPath(channel, this.#deps));
      if (!channel.enabled) continue;
      const active = this.#active.get(channel.id);
      if (active) Object.assign(active, { channel, items });
      else this.#active.set(channel.id, { channel, items, run: new ChannelRun(await this.#runs.get(channel.id)) });
    }
    await this.#deps.prepared.keepOnly(kept);
  }

  /** Applies the latest reports of gateways: moves schedules, ends takeovers. */
  async #followGateways(): Promise<void> {
    for (const { id, overTakeover, events } of this.#rows) {
      const active = this.#active.get(id);
      if (!active) continue;
      const last = events.at(-1);
      if (last?.kind === 'started') active.run.follow({ ...last, clip: last.entry });
      if (overTakeover === '' || active.channel.takeover?.id !== overTakeover) continue;
      await this.#deps.endTakeover(id, overTakeover);
    }
  }

  /** Files to prepare, by priority. Dark screens come first, so that every channel has something to play. */
  #wantedFiles(): NeededFile[] {
    const { requireSpace } = this.#deps;
    const all = [...this.#active.values()];
    const dark = all.map(({ channel }) => ({
      ...{ source: undefined, profile: channel, output: darkScreenPath(channel, this.#deps), title: '', requireSpace },
    }));
    const files = all.flatMap(({ channel, items }) =>
      [...items.values()].flatMap((item) =>
        item.files.map(({ path, prepared, title }) => ({
          ...{ source: path, profile: channel, output: prepared, title, requireSpace },
        })),
      ),
    );
    return [...dark, ...files];
  }

  async #update({ channel, run, items }: Active, nowMs: number): Promise<void> {
    const dark = darkScreenPath(channel, this.#deps);
    const isNew = run.update(channel, items, dark, this.#deps.prepared, nowMs);
    if (isNew && run.schedule) await this.#runs.put(channel.id, run.schedule);
  }

  async #writeOrders(): Promise<void> {
    const param = `?secret=${encodeURIComponent(this.#deps.publishSecret.current().publish)}`;
    const orders = [...this.#active.values()]
      .filter(({ run }) => run.entries.length > 0)
      .map(
        ({ channel, run }): ChannelOrder => ({
          ...{ id: channel.id, vhost: defaultVhost, app: defaultApp, stream: channel.stream, param },
          ...{ filler: run.filler, entries: run.entries, takeover: channel.takeover },
          liveItems: liveTitles(channel).map(([item]) => item),
        }),
      );
    const text = writeChannelOrders(orders);
    if (text === this.#written) return;
    await writeFileAtomically(join(this.#deps.dataDir, 'config', channelOrdersFile), text, readableByOwner);
    this.#written = text;
  }

  #preparationOf(active: Active | undefined): ChannelState['preparation'] {
    const { prepared } = this.#deps;
    const files = [...(active?.items.values() ?? [])].flatMap((item) => item.files);
    const outputs = [...new Set(files.map((file) => file.prepared))];
    const { running } = prepared;
    const current = running && outputs.includes(running.output) ? running : undefined;
    const ready = outputs.filter((output) => prepared.lengthOf(output) !== undefined).length;
    return { ready, total: outputs.length, current: current?.title ?? '', done: current?.done ?? 0 };
  }

  #problemsOf({ items }: Active): ChannelProblem[] {
    return [...items.values()].flatMap(({ files, problem }) => [
      ...(problem ? [problem] : []),
      ...files.flatMap(({ title, prepared }) => {
        const failure = this.#deps.prepared.failureOf(prepared);
        return failure ? [{ title, ...failure }] : [];
      }),
    ]);
  }
}

function liveOf({ takeover }: StoredChannel, row: SrsChannelRow | undefined): ChannelState['live'] {
  const stream = row?.live || row?.awaited || takeover?.live || '';
  if (stream === '') return null;
  return { stream, cause: stream === takeover?.live ? 'takeover' : 'item', isOnAir: stream === row?.live };
}
