// The log of items that channels have played or skipped, from reports of gateways. Each event is stored once. The oldest entries are
// dropped.
import { type AsRunEntry, asRunEntry } from '@srs-stack/contract/models/channel.ts';
import type { SrsChannelRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { z } from 'zod';
import type { Log, LogType, Store } from '../../store/store.ts';

/** Maximum number of entries of all channels together: almost a week of one channel with a file every five minutes. */
const capacity = 2_000;
/** Maximum number of displayed entries of a channel. */
const shown = 200;

const storedEntry = asRunEntry.extend({ channel: z.string(), number: z.number() });
type StoredEntry = z.infer<typeof storedEntry>;
const logType: LogType<StoredEntry> = { name: 'channel-as-run', schema: storedEntry, capacity };

export interface AsRunTitles {
  titleOf(channel: string, clip: string): string;
}

export async function openAsRunLog(store: Pick<Store, 'log'>): Promise<AsRunLog> {
  const log = store.log(logType);
  return new AsRunLog(log, await log.newest(capacity));
}

export class AsRunLog {
  readonly #log: Log<StoredEntry>;
  /** Keys of stored events. A gateway repeats an event in its reports until a hundred newer events exist. */
  #seen: Set<string>;

  constructor(log: Log<StoredEntry>, entries: readonly StoredEntry[]) {
    this.#log = log;
    this.#seen = new Set(entries.map(keyOf));
  }

  async take(rows: readonly SrsChannelRow[], titles: AsRunTitles): Promise<void> {
    const reported = new Set<string>();
    for (const { id: channel, events } of rows) {
      for (const { number, atMs, entry, kind, detail } of events) {
        const at = new Date(atMs).toISOString();
        const stored = { channel, number, at, kind, item: entry, title: titles.titleOf(channel, entry), detail };
        const key = keyOf(stored);
        reported.add(key);
        if (this.#seen.has(key)) continue;
        this.#seen.add(key);
        await this.#log.append(stored);
      }
    }
    // Forgets old keys only when reports have arrived: an unavailable gateway reports its events later.
    if (reported.size > 0 && this.#seen.size > 2 * capacity) this.#seen = reported;
  }

  /** Newest first. */
  async newest(channel: string): Promise<AsRunEntry[]> {
    const entries = await this.#log.newest(capacity);
    return entries
      .filter((entry) => entry.channel === channel)
      .slice(0, shown)
      .map(({ channel: _, number: __, ...entry }) => entry);
  }
}

function keyOf({ channel, number, at }: Pick<StoredEntry, 'channel' | 'number' | 'at'>): string {
  return `${channel}|${number}|${at}`;
}
