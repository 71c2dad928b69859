// Channels: settings, current items, and the log of played items. Gateways continue with their orders while this process is down
// (docs/decisions/channels.md).
import { join } from 'node:path';
import type {
  AsRunEntry,
  Channel,
  ChannelDraft,
  ChannelState,
  ProgrammeSlot,
} from '@srs-stack/contract/models/channel.ts';
import type { Actor } from '../../actor.ts';
import { type AsRunLog, openAsRunLog } from './as-run-log.ts';
import { ChannelRunner, type ChannelRunnerDeps } from './channel-runner.ts';
import { liveItems } from './channel-schedule.ts';
import { ChannelSettings, type ChannelSettingsDeps, toChannel } from './channel-settings.ts';
import { prepareFile } from './prepare-file.ts';
import { openPreparedFiles } from './prepared-files.ts';

const hourMs = 3_600_000;

export interface ChannelsDeps
  extends Omit<ChannelSettingsDeps, 'onChange' | 'folders'>,
    Omit<ChannelRunnerDeps, 'channels' | 'isOwn' | 'endTakeover' | 'prepared' | 'asRun' | 'preparedFolder'> {
  /** True if several nodes share the store. A channel is played by the node that created it. */
  readonly isShared: boolean;
}

export async function openChannels(deps: ChannelsDeps): Promise<Channels> {
  const { dataDir, log, store, nodeId, isShared } = deps;
  const preparedFolder = join(dataDir, 'channels');
  const prepared = await openPreparedFiles({
    ...{ folder: preparedFolder, prepare: prepareFile, log },
    clock: () => performance.now(),
  });
  const asRun = await openAsRunLog(store);
  const settings: ChannelSettings = new ChannelSettings({ ...deps, onChange: () => runner.look() });
  const runner = new ChannelRunner({
    ...{ ...deps, preparedFolder, prepared, asRun },
    channels: () => settings.all(),
    isOwn: ({ node }) => !isShared || node === nodeId,
    endTakeover: (id, takeover) => settings.endTakeover(id, takeover),
  });
  return new Channels(settings, runner, asRun, deps.now);
}

export class Channels {
  readonly #settings: ChannelSettings;
  readonly #runner: ChannelRunner;
  readonly #asRun: AsRunLog;
  readonly #now: () => Date;

  constructor(settings: ChannelSettings, runner: ChannelRunner, asRun: AsRunLog, now: () => Date) {
    this.#settings = settings;
    this.#runner = runner;
    this.#asRun = asRun;
    this.#now = now;
  }

  async list(): Promise<ChannelState[]> {
    const all = await this.#settings.all();
    return all.map((row) => ({ channel: toChannel(row), ...this.#runner.stateOf(row) }));
  }

  /** Live items and takeovers of all enabled channels, as `app/stream`. */
  async shownStreams(): Promise<ReadonlySet<string>> {
    const running = (await this.#settings.all()).filter(({ enabled }) => enabled);
    const sources = running.flatMap((row) => liveItems(row).map(({ source }) => source));
    return new Set([...sources, ...running.flatMap(({ takeover }) => takeover?.live ?? [])]);
  }

  create(draft: ChannelDraft, actor: Actor): Promise<Channel> {
    return this.#settings.create(draft, actor);
  }

  update(id: string, draft: ChannelDraft, actor: Actor): Promise<Channel> {
    return this.#settings.update(id, draft, actor);
  }

  switch(id: string, enabled: boolean, actor: Actor): Promise<Channel> {
    return this.#settings.switch(id, enabled, actor);
  }

  /** Throws `notFound`, `invalidRequest`. */
  takeOver(id: string, stream: string, actor: Actor): Promise<void> {
    return this.#settings.takeOver(id, stream, actor);
  }

  /** Throws `notFound`. */
  giveBack(id: string, actor: Actor): Promise<void> {
    return this.#settings.giveBack(id, actor);
  }

  remove(id: string, actor: Actor): Promise<void> {
    return this.#settings.remove(id, actor);
  }

  /** Items of the next hours; empty while this node does not play the channel. Throws `notFound`. */
  async programme(id: string, hours: number): Promise<ProgrammeSlot[]> {
    await this.#settings.get(id);
    const nowMs = this.#now().getTime();
    return this.#runner.runOf(id)?.programme(nowMs, nowMs + hours * hourMs) ?? [];
  }

  /** Newest first. Throws `notFound`. */
  async asRun(id: string): Promise<AsRunEntry[]> {
    await this.#settings.get(id);
    return this.#asRun.newest(id);
  }

  /**
   * Program guide by stream name; undefined if no channel of this node plays the stream. Reads only memory: the call needs no credential.
   */
  guide(stream: string): { channel: Channel; slots: readonly ProgrammeSlot[] } | undefined {
    const found = this.#runner.playing(stream);
    return found && { channel: toChannel(found.channel), slots: found.run.guide(this.#now().getTime()) };
  }

  users(): Promise<(target: string) => string[]> {
    return this.#settings.users();
  }

  run(signal: AbortSignal): Promise<void> {
    return this.#runner.run(signal);
  }
}
