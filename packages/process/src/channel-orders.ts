// The channels of this machine: streams that play files and live streams by a schedule. The control plane writes them to
// `config/channels.json` for the gateways. The gateways continue with the file while the control plane is down. Parsed without schemas,
// because a gateway loads none.

/** Name of the file in the folder `config/` of the data folder. Only its owner may read it, because it contains the publish secret. */
export const channelOrdersFile = 'channels.json';

/** Maximum number of channels of a machine; each reads a file at the bitrate of its stream. */
export const maxChannels = 20;

/** Maximum number of entries of one order; with 20 channels a gateway parses 1.2 MB in about 10 ms. */
export const maxChannelEntries = 300;

export interface ChannelEntry {
  /** Id of the item in the schedule. */
  readonly id: string;
  /** Absolute path of a prepared file; its index is beside it. */
  readonly file: string;
  /** The file plays from position `offsetMs`, from `startMs` until `endMs` (milliseconds since 1970). */
  readonly startMs: number;
  readonly offsetMs: number;
  readonly endMs: number;
  /** Whether the file repeats until `endMs`. */
  readonly loops: boolean;
  /** Whether the item must not start before `startMs`. */
  readonly isFixed: boolean;
  /** A live stream (`app/stream`) that is shown while it is published; '' for a file. */
  readonly live: string;
}

/** A live stream that the operator shows instead of the schedule. */
export interface ChannelTakeover {
  /** Unique, so that a takeover that has ended does not start again. */
  readonly id: string;
  /** `app/stream`. */
  readonly live: string;
}

export interface ChannelOrder {
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  /** Query with its `?` that authorizes publishing. */
  readonly param: string;
  /** Absolute path of a prepared file that repeats while nothing else can be played. */
  readonly filler: string;
  /** Entries in order and without gaps; after the last one, the first follows again. */
  readonly entries: readonly ChannelEntry[];
  /**
   * Ids of all live items of the schedule. A live stream that arrives late is shown until the end of its item, if that is still in the
   * schedule.
   */
  readonly liveItems: readonly string[];
  readonly takeover: ChannelTakeover | undefined;
}

/** Name of the index beside a prepared file. */
export function indexNameOf(file: string): string {
  return `${file}.json`;
}

const texts = ['id', 'vhost', 'app', 'stream', 'param', 'filler'] as const;
const times = ['startMs', 'offsetMs', 'endMs'] as const;

/** @throws when the text is not in the format that the control plane writes. */
export function parseChannelOrders(text: string): ChannelOrder[] {
  const { channels } = JSON.parse(text) as { channels?: unknown };
  if (!Array.isArray(channels)) throw new Error('`channels` is not an array');
  if (channels.length > maxChannels) throw new Error(`more than ${maxChannels} channels`);
  return channels.map(toOrder);
}

export function writeChannelOrders(channels: readonly ChannelOrder[]): string {
  return `${JSON.stringify({ channels })}\n`;
}

function toOrder(value: unknown): ChannelOrder {
  const order = (value ?? {}) as ChannelOrder;
  if (!texts.every((name) => typeof order[name] === 'string')) throw new Error('a channel order is invalid');
  if (!Array.isArray(order.entries) || order.entries.length > maxChannelEntries)
    throw new Error('a channel order is invalid');
  const { id, vhost, app, stream, param, filler } = order;
  const liveItems = Array.isArray(order.liveItems) ? order.liveItems.map(String) : [];
  const entries = order.entries.map(toEntry);
  return { id, vhost, app, stream, param, filler, entries, liveItems, takeover: toTakeover(order.takeover) };
}

function toTakeover(value: unknown): ChannelTakeover | undefined {
  if (value === undefined) return undefined;
  const { id, live } = (value ?? {}) as ChannelTakeover;
  if (typeof id !== 'string' || typeof live !== 'string') throw new Error('the takeover in a channel order is invalid');
  return { id, live };
}

function toEntry(value: unknown): ChannelEntry {
  const entry = (value ?? {}) as ChannelEntry;
  const isNamed = typeof entry.id === 'string' && typeof entry.file === 'string';
  if (!isNamed || !times.every((name) => Number.isFinite(entry[name])) || entry.endMs <= entry.startMs) {
    throw new Error('an entry of a channel order is invalid');
  }
  const { id, file, startMs, offsetMs, endMs } = entry;
  // Orders of earlier releases have no live streams.
  const live = typeof entry.live === 'string' ? entry.live : '';
  return { id, file, startMs, offsetMs, endMs, loops: entry.loops === true, isFixed: entry.isFixed === true, live };
}
