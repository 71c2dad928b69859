// Calls of the SRS-shaped API that several media servers answer as one: streams, clients and virtual hosts,
// listed, looked at and disconnected, and what they tell of themselves. All other calls go to the first server as they are.
import { z } from 'zod';

/** SRS lists at least so many rows, so many when it is not told, and at most so many. */
const pageLimits = { least: 10, usual: 10, most: 10_000 };
/** `code` of SRS for what it does not know. */
const unknownCodes = { streams: 2048, clients: 2049, vhosts: 2048 } as const;

type List = keyof typeof unknownCodes;
type Row = { readonly id: string };

/** What it asks of the media servers. */
export interface MergedMediaServers {
  /** Rows of all servers as one list; undefined where there is one server alone. */
  rows(list: List): Promise<readonly Row[] | undefined>;
  /** `data` of the summaries of all; undefined where there is one server alone. */
  summary(): Promise<object | undefined>;
  disconnect(clientId: string): Promise<void>;
}

const page = z.object({ start: z.coerce.number().int().min(0).catch(0), count: z.coerce.number().int().catch(0) });

/** The answer in SRS's shape; undefined for calls that the first server answers. */
export async function mergedAnswer(
  servers: MergedMediaServers,
  { method, url, query }: { method: string; url: string; query: unknown },
): Promise<object | undefined> {
  const isRead = method === 'GET' || method === 'HEAD';
  const head = { server: '', service: '', pid: String(process.pid) };
  if (isRead && /^\/api\/v1\/summaries\/?(?:\?|$)/.test(url)) {
    const data = await servers.summary();
    return data && { code: 0, ...head, data };
  }
  const found = /^\/api\/v1\/(streams|clients|vhosts)\/?([^/?]*)(?:\?|$)/.exec(url);
  const [, list, id = ''] = (found ?? []) as [string?, List?, string?];
  const isKick = method === 'DELETE' && list === 'clients' && id !== '';
  if (list === undefined || !(isKick || isRead)) return undefined;
  const rows = await servers.rows(list);
  if (rows === undefined) return undefined;
  if (id === '') return { code: 0, ...head, [list]: pageOf(rows, query) };
  const row = rows.find((each) => each.id === decoded(id));
  if (!row) return { code: unknownCodes[list], ...head };
  if (!isKick) return { code: 0, ...head, [list.slice(0, -1)]: row };
  await servers.disconnect(row.id);
  return { code: 0, ...head };
}

function pageOf(rows: readonly Row[], query: unknown): readonly Row[] {
  const { start, count } = page.parse(query);
  const wanted = count === 0 ? pageLimits.usual : Math.min(Math.max(count, pageLimits.least), pageLimits.most);
  return rows.slice(start, start + wanted);
}

/** Nobody has an id that cannot be read. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return '';
  }
}
