// Merges the streams of several media servers into one list. A merged stream is the row at the origin, plus the viewers of copies on other
// servers.
import type { MediaServerClient, MediaServerStream } from './media-server.ts';

/** `origin`: published at this server. `copy`: pulled by this server. `idle`: without a publisher. */
export type RowRole = 'origin' | 'copy' | 'idle';

/** One row of one server. */
export interface ServerRow<Server> {
  readonly server: Server;
  readonly stream: MediaServerStream;
  readonly role: RowRole;
  /** Number of publishers of the stream on this server. An encoder that publishes through an edge is a client of the edge. */
  readonly publishers: number;
}

export interface MergedStream<Server> {
  readonly stream: MediaServerStream;
  /** The row at the origin. Without an origin, a row of another server. */
  readonly home: ServerRow<Server>;
  readonly rows: readonly ServerRow<Server>[];
}

/** Client types of the built-in engine for copies: the publisher of a copy, and the viewer at the origin that feeds the copy. */
export const internalType = /^copy(?:-|$)/;
const internalProtocol = 'copy';

/** Whether the server marks the stream as a copy. */
export function isReportedCopy({ details }: MediaServerStream): boolean {
  return details?.protocol === internalProtocol;
}

/** Key that joins the rows of a stream on several servers. */
export function streamKey({ vhost, app, stream }: MediaServerStream): string {
  return `${vhost}/${app}/${stream}`;
}

/**
 * Returns one stream per `vhost/app/stream`, in the order of the rows.
 * @param isComplete false while an unavailable server may have the origin; a copy then represents the stream.
 */
export function mergeStreams<Server>(rows: readonly ServerRow<Server>[], isComplete: boolean): MergedStream<Server>[] {
  const byKey = new Map<string, Map<string, ServerRow<Server>>>();
  for (const row of rows) {
    const { id } = row.stream;
    const key = streamKey(row.stream);
    const known = byKey.get(key) ?? new Map<string, ServerRow<Server>>();
    // Two addresses of one server return equal rows.
    if (!known.has(id)) known.set(id, row);
    byKey.set(key, known);
  }
  return [...byKey.values()].map((known) => mergeRows([...known.values()], isComplete));
}

const preference: Record<RowRole, number> = { origin: 0, copy: 1, idle: 2 };

function mergeRows<Server>(rows: readonly ServerRow<Server>[], isComplete: boolean): MergedStream<Server> {
  const home = [...rows].sort((one, other) => preference[one.role] - preference[other.role])[0]!;
  const isPublished = home.role === 'origin' || (home.role === 'copy' && !isComplete);
  const publisher = home.role === 'origin' ? 1 : 0;
  // Pulls are clients of the origin. Without an origin in the list, no client is a pull.
  const pulls = publisher === 0 ? 0 : rows.filter(isPulledBySrs).length;
  const viewers = Math.max(0, rows.reduce((sum, row) => sum + viewersOf(row), 0) - pulls);
  const stream: MediaServerStream = {
    ...home.stream,
    isPublished,
    publisherClientId: publisher === 1 ? home.stream.publisherClientId : '',
    clients: viewers + publisher,
    sentBytes: rows.reduce((sum, row) => sum + row.stream.sentBytes, 0),
    details: mergeDetails(home, rows),
  };
  return { stream, home, rows };
}

/** Whether an SRS edge pulls this copy. At the origin, this pull looks like an ordinary RTMP player. */
function isPulledBySrs({ role, stream }: ServerRow<unknown>): boolean {
  return role === 'copy' && !stream.details;
}

/** The built-in engine reports viewers by protocol, so pulls can be excluded. An SRS counts all clients. */
function viewersOf({ stream, publishers }: ServerRow<unknown>): number {
  const reported = stream.details?.viewersByProtocol;
  if (reported) return Object.values(withoutInternal(reported)).reduce((sum, count) => sum + count, 0);
  return Math.max(0, stream.clients - publishers);
}

function mergeDetails<Server>(
  home: ServerRow<Server>,
  rows: readonly ServerRow<Server>[],
): MediaServerStream['details'] {
  const own = home.stream.details;
  if (!own) return undefined;
  const reported = rows.map(({ stream }) => stream.details);
  // If a server does not split viewers by protocol, the split comes from the client list.
  const splits = reported.map((details) => details?.viewersByProtocol);
  const isSplit = splits.every((split) => split !== undefined);
  const { viewersByProtocol: _, ...rest } = own;
  const slow = reported.flatMap((details) => details?.slowViewers ?? []);
  return {
    ...rest,
    ...(isSplit && { viewersByProtocol: sumOf(splits.map(withoutInternal)) }),
    ...(slow.length > 0 && { slowViewers: slow.reduce((sum, count) => sum + count, 0) }),
  };
}

function withoutInternal(counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).filter(([protocol]) => !internalType.test(protocol)));
}

function sumOf(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const counts of all) {
    for (const [protocol, count] of Object.entries(counts)) sums[protocol] = (sums[protocol] ?? 0) + count;
  }
  return sums;
}

/** Clients of one server. */
export interface ServerClients<Server> {
  readonly server: Server;
  readonly clients: readonly MediaServerClient[];
}

/**
 * All publishers and viewers as clients of the merged streams. Omits pulls, and publishers at other servers than the origin.
 * @param hostOf address of a server, which identifies its pulls.
 */
export function mergeClients<Server>(
  lists: readonly ServerClients<Server>[],
  streams: readonly MergedStream<Server>[],
  hostOf: (server: Server) => string,
): MediaServerClient[] {
  const clientsOf = clientsByRow(lists);
  const pulls = new Set<string>();
  const mergedOf = new Map<string, MergedStream<Server>>();
  for (const merged of streams) {
    for (const row of merged.rows) {
      mergedOf.set(row.stream.id, merged);
      if (isPulledBySrs(row)) findPull(row, merged, { clientsOf, host: hostOf(row.server), pulls });
    }
  }
  const found = new Map<string, MediaServerClient>();
  for (const client of lists.flatMap(({ clients }) => clients)) {
    const streamId = mergedOf.get(client.streamId)?.stream.id ?? client.streamId;
    const isElsewhere = streamId !== client.streamId;
    const isInternal = pulls.has(client.id) || internalType.test(client.type) || (client.isPublisher && isElsewhere);
    if (!isInternal && !found.has(client.id)) found.set(client.id, isElsewhere ? { ...client, streamId } : client);
  }
  return [...found.values()];
}

const pullTypes = ['rtmp-play', 'flv-play'];
/** Largest time between the start of a pull and the first viewer of the copy, milliseconds. */
const sameBeginMs = 3_000;

interface PullSearch {
  readonly clientsOf: (streamId: string) => readonly MediaServerClient[];
  readonly host: string;
  readonly pulls: Set<string>;
}

/**
 * Finds the pull of an SRS edge among the players at the origin. Prefers players with the address of the edge. Without such a player,
 * considers players that started at about the same time as the first viewer of the copy.
 */
function findPull<Server>(copy: ServerRow<Server>, merged: MergedStream<Server>, search: PullSearch): void {
  const { clientsOf, host, pulls } = search;
  const viewers = clientsOf(copy.stream.id).filter(({ isPublisher }) => !isPublisher);
  const beganMs = viewers.reduce((longest, { aliveMs }) => Math.max(longest, aliveMs), 0);
  const distance = ({ aliveMs }: MediaServerClient) => Math.abs(aliveMs - beganMs);
  const players = merged.rows
    .filter((row) => row !== copy)
    .flatMap((row) => clientsOf(row.stream.id))
    .filter(({ id, type, pageUrl }) => pullTypes.includes(type) && pageUrl === '' && !pulls.has(id));
  const fromThere = players.filter(({ ip }) => isSameHost(ip, host));
  const candidates = fromThere.length > 0 ? fromThere : players.filter((player) => distance(player) <= sameBeginMs);
  const pull = candidates.sort((one, other) => distance(one) - distance(other))[0];
  if (pull) pulls.add(pull.id);
}

/** Clients of all servers by row id. Ids are random, so equal ids on two servers are practically impossible. */
function clientsByRow(lists: readonly ServerClients<unknown>[]): PullSearch['clientsOf'] {
  const byRow = new Map<string, MediaServerClient[]>();
  for (const client of lists.flatMap(({ clients }) => clients)) {
    const known = byRow.get(client.streamId);
    if (known) known.push(client);
    else byRow.set(client.streamId, [client]);
  }
  return (streamId) => byRow.get(streamId) ?? [];
}

const loopbackHost = /^(?:127\.|localhost$|::1$)/;

function isSameHost(ip: string, host: string): boolean {
  const plain = ip.replace(/^::ffff:/, '');
  return plain === host || (loopbackHost.test(plain) && loopbackHost.test(host));
}
