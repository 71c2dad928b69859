// Settings of channels: creates, changes, switches and removes channels, and validates schedules.
import { randomUUID } from 'node:crypto';
import {
  AppError,
  because,
  changed,
  defaultApp,
  isValidAppName,
  isValidStreamName,
  switched,
} from '@srs-stack/contract';
import {
  type Channel,
  type ChannelDraft,
  type ChannelItem,
  channel as channelSchema,
} from '@srs-stack/contract/models/channel.ts';
import { isTimeZone } from '@srs-stack/contract/zoned-time.ts';
import { maxChannels } from '@srs-stack/process/channel-orders.ts';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import { createOneAtATime } from '../../concurrency/one-at-a-time.ts';
import type { MediaFolders } from '../../files/media-folders.ts';
import type { MediaLibrary } from '../../files/media-library.ts';
import type { NodeRegistry } from '../../nodes/node-registry.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { Collection, CollectionType, Store } from '../../store/store.ts';

const storedChannel = channelSchema.extend({
  /** The node with the files of the channel, which therefore plays the channel. */
  node: z.string(),
  /** Name of `node`; '' in rows of earlier releases. */
  nodeName: z.string().default(''),
  takeover: z.object({ id: z.string(), live: z.string() }).optional(),
});
export type StoredChannel = z.infer<typeof storedChannel>;

const channels: CollectionType<StoredChannel> = { name: 'channels', schema: storedChannel };

export interface ChannelSettingsDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly folders: Pick<MediaFolders, 'pathOf'>;
  readonly library: Pick<MediaLibrary, 'keep'>;
  readonly nodeId: string;
  readonly nodes: Pick<NodeRegistry, 'self' | 'list' | 'isGone'>;
  readonly onChange: () => void;
}

export class ChannelSettings {
  readonly #deps: ChannelSettingsDeps;
  readonly #rows: Collection<StoredChannel>;
  readonly #oneAtATime = createOneAtATime();

  constructor(deps: ChannelSettingsDeps) {
    this.#deps = deps;
    this.#rows = deps.store.collection(channels);
  }

  async all(): Promise<StoredChannel[]> {
    const rows = [...(await this.#rows.entries()).values()];
    return rows.sort((a, b) => a.title.localeCompare(b.title) || a.id.localeCompare(b.id));
  }

  /** Throws `notFound`. */
  async get(id: string): Promise<StoredChannel> {
    const found = await this.#rows.get(id);
    if (!found) throw new AppError('notFound', because('channel.unknown', { id }));
    return found;
  }

  /** Throws `invalidRequest` with the violated rule. */
  create(draft: ChannelDraft, actor: Actor): Promise<Channel> {
    return this.#oneAtATime(async () => {
      const all = await this.all();
      if (all.length >= maxChannels)
        throw new AppError('invalidRequest', because('channel.full', { maximum: maxChannels }));
      const { nodeId: node, nodes } = this.#deps;
      const own = { id: randomUUID(), enabled: false, node, nodeName: nodes.self.name };
      const row = { ...(await this.#checked(draft, all)), ...own };
      await this.#rows.put(row.id, row);
      await this.#report(actor, 'channel.made', row);
      return toChannel(row);
    });
  }

  /** Throws `notFound`, `invalidRequest`. */
  update(id: string, draft: ChannelDraft, actor: Actor): Promise<Channel> {
    return this.#oneAtATime(async () => {
      const before = await this.get(id);
      const others = (await this.all()).filter((each) => each.id !== id);
      const row = { ...before, ...(await this.#checked(draft, others)) };
      await this.#rows.put(id, row);
      await this.#report(actor, 'channel.changed', row);
      return toChannel(row);
    });
  }

  /** Throws `notFound`. */
  switch(id: string, enabled: boolean, actor: Actor): Promise<Channel> {
    return this.#oneAtATime(async () => {
      const { takeover: _, ...before } = await this.get(id);
      const row = { ...before, enabled };
      await this.#rows.put(id, row);
      const { title } = row;
      await this.#deps.audit.record(
        'setting-changed',
        actor,
        changed('channel.switched', { title, state: switched(enabled) }),
      );
      this.#deps.onChange();
      return toChannel(row);
    });
  }

  /** Throws `notFound`, `invalidRequest`. */
  takeOver(id: string, live: string, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      const row = await this.get(id);
      checkLive(live, row.stream);
      const { title } = row;
      if (!row.enabled) throw new AppError('invalidRequest', because('channel.off', { title }));
      await this.#rows.put(id, { ...row, takeover: { id: randomUUID(), live } });
      await this.#deps.audit.record('setting-changed', actor, changed('channel.taken-over', { title, stream: live }));
      this.#deps.onChange();
    });
  }

  /** Throws `notFound`. */
  giveBack(id: string, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      const { takeover, ...row } = await this.get(id);
      if (!takeover) return;
      await this.#rows.put(id, row);
      await this.#report(actor, 'channel.given-back', row);
    });
  }

  endTakeover(id: string, ended: string): Promise<void> {
    return this.#oneAtATime(async () => {
      const found = await this.#rows.get(id);
      if (found?.takeover?.id !== ended) return;
      const { takeover: _, ...row } = found;
      await this.#rows.put(id, row);
      this.#deps.onChange();
    });
  }

  /** Throws `notFound`. */
  remove(id: string, actor: Actor): Promise<void> {
    return this.#oneAtATime(async () => {
      const row = await this.get(id);
      await this.#rows.remove(id);
      await this.#report(actor, 'channel.removed', row);
    });
  }

  /** Resolves with a function that returns the titles of channels that use a library file. */
  async users(): Promise<(target: string) => string[]> {
    const all = await this.all();
    return (target) =>
      all.filter((each) => itemsOf(each).some(({ source }) => source === target)).map(({ title }) => title);
  }

  async #report(
    actor: Actor,
    key: 'channel.made' | 'channel.changed' | 'channel.removed' | 'channel.given-back',
    { title }: Channel,
  ): Promise<void> {
    await this.#deps.audit.record('setting-changed', actor, changed(key, { title }));
    this.#deps.onChange();
  }

  async #checked(draft: ChannelDraft, others: readonly Channel[]): Promise<ChannelDraft> {
    const { stream, zone } = draft;
    if (!isValidStreamName(stream)) throw new AppError('invalidRequest', because('channel.stream-name', { stream }));
    if (others.some((each) => each.stream === stream))
      throw new AppError('invalidRequest', because('channel.stream-taken', { stream }));
    if (!isTimeZone(zone)) throw new AppError('invalidRequest', because('channel.zone', { zone }));
    const known = new Set<string>();
    const checkedItem = (item: ChannelItem, minutes: number) => {
      if (item.kind === 'live') checkLive(item.source, stream);
      return this.#checkedItem(item, minutes, known);
    };
    const playlist: ChannelItem[] = [];
    for (const item of draft.playlist) playlist.push(await checkedItem(item, item.minutes));
    const weekly: ChannelDraft['weekly'] = [];
    for (const entry of draft.weekly)
      weekly.push({ ...entry, item: await checkedItem(entry.item, entry.minutes || entry.item.minutes) });
    return { ...draft, title: draft.title || stream, playlist, weekly };
  }

  /** Validates an item and gives it a unique id. Moves its uploaded file to the kept files of the library. */
  async #checkedItem(item: ChannelItem, minutes: number, known: Set<string>): Promise<ChannelItem> {
    if (item.kind === 'break' && minutes <= 0) throw new AppError('invalidRequest', because('channel.no-length'));
    if (item.kind === 'live' && minutes <= 0)
      throw new AppError('invalidRequest', because('channel.live-length', { stream: item.source }));
    if (item.kind !== 'break' && item.source === '') throw new AppError('invalidRequest', because('channel.no-source'));
    const id = item.id === '' || known.has(item.id) ? randomUUID() : item.id;
    known.add(id);
    const isFile = item.kind === 'file' || item.kind === 'break';
    const isHere = isFile && item.source !== '' && (await this.#deps.folders.pathOf(item.source));
    return { ...item, id, source: isHere ? await this.#deps.library.keep(item.source) : item.source };
  }
}

export function toChannel({ node: _, nodeName: __, takeover: ___, ...row }: StoredChannel): Channel {
  return row;
}

/** Throws `invalidRequest`. @param own name of the channel's stream. */
function checkLive(live: string, own: string): void {
  const [app = '', stream = '', ...rest] = live.split('/');
  if (!isValidAppName(app) || !isValidStreamName(stream) || rest.length > 0)
    throw new AppError('invalidRequest', because('channel.live-name', { stream: live }));
  if (live === `${defaultApp}/${own}`)
    throw new AppError('invalidRequest', because('channel.live-own', { stream: live }));
}

function itemsOf({ playlist, weekly }: Channel): ChannelItem[] {
  return [...playlist, ...weekly.map(({ item }) => item)];
}
