// Combines several media servers in the SRS-compatible API. Merges reads of streams, clients, virtual hosts and summaries, and disconnects
// clients on any server. Other calls go to the first server.
import { z } from 'zod';

/** Limits of SRS for the rows of a page. */
const pageLimits = { least: 10, usual: 10, most: 10_000 };
/** `code` of SRS for an unknown object. */
const unknownCodes = { streams: 2048, clients: 2049, vhosts: 2048 } as const;

type List = keyof typeof unknownCodes;
type Row = { readonly id: string };

export interface MergedMediaServers {
  /** Merged rows of all servers; undefined with a single server. */
  rows(list: List): Promise<readonly Row[] | undefined>;
  /** Merged `data` of the summaries; undefined with a single server. */
  summary(): Promise<object | undefined>;
  disconnect(clientId: string): Promise<void>;
}

const page = z.object({ start: z.coerce.number().int().min(0).catch(0), count: z.coerce.number().int().catch(0) });

/** The response in SRS's form; undefined for calls that the first server handles. */
export async function mergedResponse(
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

/** A malformed id matches no client. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return '';
  }
}
