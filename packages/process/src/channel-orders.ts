// The channels of this machine, which play files and live streams by a schedule. The control plane writes `config/channels.json` for the
// gateways. While the control plane is down, the gateways continue with this file. Parsed without schemas, because a gateway loads no
// schema library.

/** File in the folder `config/` of the data folder. Only its owner may read it, because it contains the publish secret. */
export const channelOrdersFile = 'channels.json';

/** Maximum number of channels of a machine. Each channel reads a file at the bitrate of its stream. */
export const maxChannels = 20;

/** Maximum number of entries of an order. With 20 channels, a gateway then parses 1.2 MB in about 10 ms. */
export const maxChannelEntries = 300;

export interface ChannelEntry {
  readonly id: string;
  /** Absolute path of a prepared file; its index is beside it. */
  readonly file: string;
  /** From `startMs` until `endMs` (milliseconds since 1970), the file plays from its position `offsetMs`. */
  readonly startMs: number;
  readonly offsetMs: number;
  readonly endMs: number;
  readonly loops: boolean;
  /** Whether the item must not start before `startMs`. */
  readonly isFixed: boolean;
  /** A live stream (`app/stream`) that is shown while a publisher sends it; '' for a file. */
  readonly live: string;
}

/** A live stream that the operator shows instead of the schedule. */
export interface ChannelTakeover {
  /** Each takeover has a new id, so that an ended takeover does not start again. */
  readonly id: string;
  /** `app/stream`. */
  readonly live: string;
}

export interface ChannelOrder {
  readonly id: string;
  readonly vhost: string;
  readonly app: string;
  readonly stream: string;
  readonly param: string;
  /** Absolute path of a prepared file that repeats while nothing else can be played. */
  readonly filler: string;
  /** Entries in order, without gaps. After the last entry, the first entry plays again. */
  readonly entries: readonly ChannelEntry[];
  /** Ids of all live items of the schedule. A live stream that arrives late is shown until its item ends or leaves the schedule. */
  readonly liveItems: readonly string[];
  readonly takeover: ChannelTakeover | undefined;
}

/** Name of the index beside a prepared file. */
export function indexNameOf(file: string): string {
  return `${file}.json`;
}

const texts = ['id', 'vhost', 'app', 'stream', 'param', 'filler'] as const;
const times = ['startMs', 'offsetMs', 'endMs'] as const;

/** Parses orders. @throws when the control plane did not write this format. */
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
  if (!texts.every((name) => typeof order[name] === 'string'))
    throw new Error(`an entry of \`channels\` lacks one of the strings ${texts.join(', ')}`);
  if (!Array.isArray(order.entries) || order.entries.length > maxChannelEntries)
    throw new Error(`\`entries\` of a channel is not an array, or has more than ${maxChannelEntries} items`);
  const { id, vhost, app, stream, param, filler } = order;
  const liveItems = Array.isArray(order.liveItems) ? order.liveItems.map(String) : [];
  const entries = order.entries.map(toEntry);
  return { id, vhost, app, stream, param, filler, entries, liveItems, takeover: toTakeover(order.takeover) };
}

function toTakeover(value: unknown): ChannelTakeover | undefined {
  if (value === undefined) return undefined;
  const { id, live } = (value ?? {}) as ChannelTakeover;
  if (typeof id !== 'string' || typeof live !== 'string')
    throw new Error('`takeover` of a channel lacks one of the strings id, live');
  return { id, live };
}

function toEntry(value: unknown): ChannelEntry {
  const entry = (value ?? {}) as ChannelEntry;
  const isNamed = typeof entry.id === 'string' && typeof entry.file === 'string';
  if (!isNamed || !times.every((name) => Number.isFinite(entry[name])) || entry.endMs <= entry.startMs) {
    throw new Error('an item of `entries` of a channel lacks `id` or `file`, or has invalid times');
  }
  const { id, file, startMs, offsetMs, endMs } = entry;
  // Orders of earlier releases have no live streams.
  const live = typeof entry.live === 'string' ? entry.live : '';
  return { id, file, startMs, offsetMs, endMs, loops: entry.loops === true, isFixed: entry.isFixed === true, live };
}
