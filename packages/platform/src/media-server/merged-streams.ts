// Merges the streams of several media servers into one list. A stream is the row of the server where it is published, plus the viewers of
// its copies on other servers. Pure.
import type { MediaServerClient, MediaServerStream } from './media-server.ts';

/** Role of a row: published here; a copy that this server pulls; or without a publisher. */
export type RowRole = 'origin' | 'copy' | 'idle';

/** One row of one server. */
export interface ServerRow<Server> {
  readonly server: Server;
  readonly stream: MediaServerStream;
  readonly role: RowRole;
  /** Number of publishers among its clients. An encoder that publishes through an edge is a client of the edge. */
  readonly publishers: number;
}

export interface MergedStream<Server> {
  readonly stream: MediaServerStream;
  /** The row of the server where the stream is published, or a row without a publisher instead. */
  readonly home: ServerRow<Server>;
  readonly rows: readonly ServerRow<Server>[];
}

/** Types of internal clients of the built-in engine: the publisher of a copy, and its viewer at the origin. */
export const internalType = /^copy(?:-|$)/;
const internalProtocol = 'copy';

/** True for a row that is marked as a copy. */
export function isReportedCopy({ details }: MediaServerStream): boolean {
  return details?.protocol === internalProtocol;
}

/** Key that joins rows of several servers to one stream. */
export function streamKey({ vhost, app, stream }: MediaServerStream): string {
  return `${vhost}/${app}/${stream}`;
}

/**
 * One stream per `vhost/app/stream`, in the order of the rows. @param isComplete false while a server is unavailable that may have the
 * origin of a copy; the copy then represents the stream.
 */
export function mergeStreams<Server>(rows: readonly ServerRow<Server>[], isComplete: boolean): MergedStream<Server>[] {
  const byKey = new Map<string, Map<string, ServerRow<Server>>>();
  for (const row of rows) {
    const { id } = row.stream;
    const key = streamKey(row.stream);
    const known = byKey.get(key) ?? new Map<string, ServerRow<Server>>();
    // Two addresses of one server return the same row twice.
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
  // Pulls are clients of the origin: without an origin in the list, no client is a pull.
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

/** True for a copy that an SRS edge pulls. At the origin such a copy is an ordinary RTMP player without a mark. */
function isPulledBySrs({ role, stream }: ServerRow<unknown>): boolean {
  return role === 'copy' && !stream.details;
}

/** The built-in engine separates viewers from its own pulls; SRS counts all. */
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
  // Viewers are split by protocol only if every server reports the split; otherwise the client list provides it.
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
 * All publishers and viewers as clients of the merged streams. Omits pulls, and publishers other than that of the origin.
 * @param hostOf address of a server, from which its pull may come.
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

/** Protocols that an SRS edge pulls with. */
const pullTypes = ['rtmp-play', 'flv-play'];
/** Largest time between the start of a pull and of the first viewer of the copy, milliseconds. */
const sameBeginMs = 3_000;

interface PullSearch {
  readonly clientsOf: (streamId: string) => readonly MediaServerClient[];
  /** Host of the server that pulls. */
  readonly host: string;
  /** Ids of pulls found so far; the function adds to it. */
  readonly pulls: Set<string>;
}

/**
 * Finds the player at the origin that is the pull of an SRS edge: one from the address of the edge, otherwise one that started together
 * with the first viewer of the copy.
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

/** Clients of all servers by row id. Row ids are practically unique across servers, because each generates random ones. */
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
