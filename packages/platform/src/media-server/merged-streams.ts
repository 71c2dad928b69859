// The streams of several media servers as one list: a stream is the row of the server where it is published, with the viewers of
// its copies on others. Pure.
import type { MediaServerClient, MediaServerStream } from './media-server.ts';

/** What a row is to its stream: published there; a copy that this server pulls; or nobody sends to it. */
export type RowRole = 'origin' | 'copy' | 'idle';

/** One row of one server. */
export interface ServerRow<Server> {
  readonly server: Server;
  readonly stream: MediaServerStream;
  readonly role: RowRole;
  /** Publishers among its clients; an encoder that publishes through an edge is one of the edge's. */
  readonly publishers: number;
}

export interface MergedStream<Server> {
  readonly stream: MediaServerStream;
  /** Where it is published, or whose row stands for it while nobody publishes. */
  readonly home: ServerRow<Server>;
  readonly rows: readonly ServerRow<Server>[];
}

/** Of the embedded engine: a copy's own publisher, and the viewer that it is at the origin. */
export const internalType = /^copy(?:-|$)/;
const internalProtocol = 'copy';

/** True for a row that says itself that it is a copy. */
export function isToldCopy({ details }: MediaServerStream): boolean {
  return details?.protocol === internalProtocol;
}

/** By which rows of several servers are one stream. */
export function streamKey({ vhost, app, stream }: MediaServerStream): string {
  return `${vhost}/${app}/${stream}`;
}

/**
 * One stream per `vhost/app/stream`, in the order of the rows.
 * @param isComplete false while a server is away, which may have the origin of a copy: the copy stands for the stream then.
 */
export function mergeStreams<Server>(rows: readonly ServerRow<Server>[], isComplete: boolean): MergedStream<Server>[] {
  const byKey = new Map<string, Map<string, ServerRow<Server>>>();
  for (const row of rows) {
    const { id } = row.stream;
    const key = streamKey(row.stream);
    const known = byKey.get(key) ?? new Map<string, ServerRow<Server>>();
    // Two addresses of one server give the same row twice.
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
  // Without an origin in the list they are players at a server nobody asked.
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

/** Such a copy is one RTMP player at the server it is pulled from, which nothing in that player's row tells. */
function isPulledBySrs({ role, stream }: ServerRow<unknown>): boolean {
  return role === 'copy' && !stream.details;
}

/** Those of the embedded engine are told apart from its own pulls; SRS counts everybody. */
function viewersOf({ stream, publishers }: ServerRow<unknown>): number {
  const told = stream.details?.viewersByProtocol;
  if (told) return Object.values(withoutInternal(told)).reduce((sum, count) => sum + count, 0);
  return Math.max(0, stream.clients - publishers);
}

function mergeDetails<Server>(
  home: ServerRow<Server>,
  rows: readonly ServerRow<Server>[],
): MediaServerStream['details'] {
  const own = home.stream.details;
  if (!own) return undefined;
  const told = rows.map(({ stream }) => stream.details);
  // One that does not tell would be missing in the split: then the list of clients splits them.
  const splits = told.map((details) => details?.viewersByProtocol);
  const isSplit = splits.every((split) => split !== undefined);
  const { viewersByProtocol: _, ...rest } = own;
  const slow = told.flatMap((details) => details?.slowViewers ?? []);
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
 * Everybody who publishes or watches, once, as a client of the merged stream: no pulls, and the publisher only where it is the
 * stream's.
 * @param hostOf address by which a server is asked, where its pull may come from.
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

/** Ways an SRS edge pulls. */
const pullTypes = ['rtmp-play', 'flv-play'];
/** A pull begins with the first viewer of the copy; one that began so much before or after is somebody else's, milliseconds. */
const sameBeginMs = 3_000;

interface PullSearch {
  readonly clientsOf: (streamId: string) => readonly MediaServerClient[];
  /** Of the server that pulls. */
  readonly host: string;
  /** Ids of those found, to which it adds. */
  readonly pulls: Set<string>;
}

/** The player that is the pull of an SRS edge: from the address of the edge, else begun with its viewers. */
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

/** Ids of rows are as good as unique among servers: each makes its own at random. */
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
