// Combines several media servers: calls all servers and merges the responses. An unavailable server is omitted and polled in the
// background, so that no call waits for it. A single server is called directly.
import { AppError, because, type Refusal } from '@srs-stack/contract';
import type { SrsChannelRow, SrsPullRow, SrsPushRow, SrsPushTestRow } from '@srs-stack/contract/wire/srs-rows.ts';
import { allResponses } from './all-responses.ts';
import {
  type MediaServer,
  type MediaServerClient,
  type MediaServerStream,
  type MediaServerSummaries,
  type MediaServersIdentity,
  PartlyReloaded,
  type ServerViewers,
} from './media-server.ts';
import type { MediaServerAddress, MediaServerAddresses } from './media-server-address.ts';
import { mergedIdentity, mergedSummary, mergedVhostRows, type RawSummary, summedMetrics } from './merged-metrics.ts';
import { mergedClientRows, mergedStreamRows, type RawRow } from './merged-rows.ts';
import { isReportedCopy, mergeClients, mergeStreams, type ServerClients, streamKey } from './merged-streams.ts';
import { ServerMember } from './server-member.ts';

/** @param addresses the servers; new ones may be added at any time. */
export function createMediaServers(addresses: MediaServerAddresses): MediaServers {
  return new MediaServers(addresses);
}

export class MediaServers implements MediaServer {
  readonly #addresses: MediaServerAddresses;
  readonly #members = new Map<MediaServerAddress, ServerMember>();
  #homes = new Map<string, ServerMember>();

  constructor(addresses: MediaServerAddresses) {
    this.#addresses = addresses;
  }

  async listStreams(): Promise<MediaServerStream[]> {
    const { single, members } = await this.#present();
    if (single) return single.api.listStreams();
    return (await this.#look(members, false)).merged.map(({ stream }) => stream);
  }

  /** Streams that are published at these servers. Copies of streams are omitted. */
  async listOrigins(): Promise<MediaServerStream[]> {
    const { single, members } = await this.#present();
    const lists = single
      ? [await single.api.listStreams()]
      : (await this.#listAll(members)).map(({ response }) => response);
    // Only the built-in engine marks copies. Copies on an SRS are detected from the client lists.
    const marksCopies = lists.flat().every(({ details }) => details !== undefined);
    return marksCopies || single ? lists.flat().filter((stream) => !isReportedCopy(stream)) : this.listStreams();
  }

  async listClients(): Promise<MediaServerClient[]> {
    const { single, members } = await this.#present();
    if (single) return single.api.listClients();
    const { merged, clients } = await this.#look(members, true);
    if (clients.length === 0) throw new AppError('mediaServerUnreachable', because('media-server.no-clients'));
    const hosts = new Map<ServerMember, string>();
    for (const { server } of clients) hosts.set(server, (await server.address.current())?.host ?? '');
    return mergeClients(clients, merged, (member) => hosts.get(member) ?? '');
  }

  /** SRS rows of all servers as one list. Undefined with a single server, whose response needs no merge. */
  async rows(list: 'streams' | 'clients' | 'vhosts'): Promise<RawRow[] | undefined> {
    const { single, members } = await this.#present();
    if (single) return undefined;
    const lists = (await allResponses(members, ({ api }) => api.listRows(list))).map(({ response }) => response);
    if (list === 'vhosts') return mergedVhostRows(lists);
    const raw = lists.flat();
    return list === 'streams'
      ? mergedStreamRows(raw, await this.listStreams())
      : mergedClientRows(raw, await this.listClients());
  }

  /** Merged summaries in SRS's form. Undefined with a single server, whose response needs no merge. */
  async summary(): Promise<RawSummary | undefined> {
    const { single, members } = await this.#present();
    if (single) return undefined;
    return mergedSummary((await allResponses(members, ({ api }) => api.readSummary())).map(({ response }) => response));
  }

  async readKeyframe(streamId: string): Promise<Buffer | undefined> {
    const { single, members } = await this.#present();
    if (single) return single.api.readKeyframe(streamId);
    const home = this.#homes.get(streamId);
    const targets = home && members.includes(home) ? [home] : members;
    const responses = await allResponses(targets, ({ api }) => api.readKeyframe(streamId));
    return responses.find(({ response }) => response)?.response;
  }

  async listRefusals(): Promise<Refusal[] | undefined> {
    const { single, members } = await this.#present();
    if (single) return single.api.listRefusals();
    const responses = await allResponses(members, ({ api }) => api.listRefusals());
    if (responses.every(({ response }) => response === undefined)) return undefined;
    return responses.flatMap(({ response }) => response ?? []).sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  }

  async summarize(): Promise<MediaServerSummaries> {
    const { single, members, all } = await this.#present();
    if (single) {
      const summary = await single.api.summarize();
      return { all: summary, servers: [{ name: single.address.name, summary }] };
    }
    const responses = await allResponses(members, ({ api }) => api.summarize());
    const servers = all.map((member) => ({
      name: member.address.name,
      summary: responses.find((each) => each.member === member)?.response,
    }));
    return { all: summedMetrics(responses.map(({ response }) => response)), servers };
  }

  async listViewers(): Promise<ServerViewers[]> {
    const { members } = await this.#present();
    const responses = await allResponses(members, ({ api }) => api.listViewers());
    return responses.flatMap(({ member, response }) => (response ? [{ name: member.address.name, ...response }] : []));
  }

  /** Push rows of all responding servers. Every server has a row for each push; only the server that has the stream sends. */
  async listPushes(): Promise<SrsPushRow[]> {
    const { members } = await this.#present();
    const responses = await allResponses(members, ({ api }) => api.listPushes());
    return responses.flatMap(({ response }) => response ?? []);
  }

  /** Starts a push test on the first server that supports push tests. Resolves with a function that reads the result. */
  async startPushTest(id: string): Promise<(() => Promise<SrsPushTestRow | undefined>) | undefined> {
    const { members } = await this.#present();
    for (const { api } of members) {
      const isStarted = await api.startPushTest(id).catch(() => false);
      if (isStarted) return () => api.readPushTest(id);
    }
    return undefined;
  }

  /** Pull rows of all responding servers. Only the server that pulls has a row. */
  async listPulls(): Promise<SrsPullRow[]> {
    const { members } = await this.#present();
    const responses = await allResponses(members, ({ api }) => api.listPulls());
    return responses.flatMap(({ response }) => response ?? []);
  }

  async listChannels(): Promise<SrsChannelRow[]> {
    const { members } = await this.#present();
    const responses = await allResponses(members, ({ api }) => api.listChannels());
    return responses.flatMap(({ response }) => response ?? []);
  }

  async disconnect(clientId: string): Promise<void> {
    const { single, members, all } = await this.#present();
    if (single) {
      await single.api.disconnect(clientId);
      return;
    }
    const failures: unknown[] = [];
    const responses = await allResponses(members, ({ api }) => api.disconnect(clientId), failures);
    if (responses.some(({ response }) => response)) return;
    if (failures.length > 0) throw failures[0];
    const unavailable = all.filter((member) => !members.includes(member));
    // The client may be connected to an unavailable server.
    if (unavailable.length > 0) throw unreachable('media-server.away-with-client', unavailable);
  }

  async identify(): Promise<MediaServersIdentity> {
    const { all, members } = await this.#present();
    const servers = await Promise.all(
      all.map(async (member) => {
        const { api, address } = member;
        const identity = members.includes(member) ? api.identify() : api.identifyUnavailable();
        return { name: address.name, ...(await identity) };
      }),
    );
    return { ...mergedIdentity(servers), servers };
  }

  /** Reloads all servers. Unavailable servers are called but not awaited; they reload again when they return. */
  async reload(): Promise<void> {
    // A server that has just started may have read the configuration before this change.
    this.first.forget();
    const { single, all } = await this.#present();
    if (single) {
      await single.api.reload();
      return;
    }
    const outcomes = await Promise.all(all.map((member) => member.reload()));
    if (outcomes.every((outcome) => outcome === 'away')) throw unreachable('media-server.away', all);
    const failures = outcomes.flatMap((outcome, index) =>
      typeof outcome === 'string' ? [] : [`${all[index]!.address.name}: ${outcome.message}`],
    );
    if (failures.length > 0) {
      const reason = failures.join('; ');
      const Failure = outcomes.includes('done') ? PartlyReloaded : AppError;
      throw new Failure('mediaServerUnreachable', because('media-server.reload-failed', { reason }));
    }
  }

  /** The first available server, to which calls of a console are forwarded unchanged. */
  readonly first = {
    current: async () => (await this.#present()).members[0]?.address.current(),
    forget: () => {
      for (const { address } of this.#members.values()) address.forget();
    },
  };

  close(): void {
    for (const { api } of this.#members.values()) api.close();
  }

  /** `members` are the servers to call: all servers not known to be unavailable. If none is left, all servers are called. */
  async #present(): Promise<{ single: ServerMember | undefined; members: ServerMember[]; all: ServerMember[] }> {
    const addresses = await this.#addresses.list();
    const all = addresses.map((address) => {
      const member = this.#members.get(address) ?? new ServerMember(address);
      this.#members.set(address, member);
      return member;
    });
    this.#forgetOthers(addresses);
    if (all.length === 1) return { single: all[0], members: all, all };
    const here = all.filter((member) => !member.api.isUnavailable);
    if (here.length > 0) for (const member of all) member.pollUntilBack();
    return { single: undefined, members: here.length > 0 ? here : all, all };
  }

  #forgetOthers(addresses: readonly MediaServerAddress[]): void {
    if (this.#members.size === addresses.length) return;
    for (const [address, { api }] of this.#members) {
      if (addresses.includes(address)) continue;
      this.#members.delete(address);
      api.close();
    }
  }

  /**
   * Merges the streams. Requests client lists if `allClients` is set or if origin and copies cannot be distinguished. Client lists are
   * requested after the streams, because a publisher is a client before its stream exists.
   */
  async #look(members: readonly ServerMember[], allClients: boolean) {
    const lists = await this.#listAll(members);
    const contested = contestedKeys(lists.flatMap(({ response }) => response));
    const clients = await Promise.all(
      lists.map(async ({ member, response, isStandIn }): Promise<ServerClients<ServerMember>[]> => {
        // This server has just missed a response, so another request would delay every caller.
        if (isStandIn) return [];
        const isContested = (stream: MediaServerStream) => contested.has(streamKey(stream));
        if (!allClients && !member.roles.needsClients(response, isContested)) return [];
        const listed = await member.api.listClients().catch(onlyUnreachable);
        if (listed) member.roles.learn(response, listed);
        return listed ? [{ server: member, clients: listed }] : [];
      }),
    );
    const rows = lists.flatMap(({ member, response }) =>
      response.map((stream) => ({ server: member, stream, ...member.roles.of(stream) })),
    );
    const merged = mergeStreams(rows, lists.length === this.#members.size);
    this.#homes = new Map(merged.map(({ stream, home }) => [stream.id, home.server]));
    return { merged, clients: clients.flat() };
  }

  /** Streams of each server. A server that missed a response contributes its previous response. */
  async #listAll(
    members: readonly ServerMember[],
  ): Promise<{ member: ServerMember; response: MediaServerStream[]; isStandIn: boolean }[]> {
    const lists = await allResponses(members, (member) => member.streams.note(member.api.listStreams()));
    const silent = [...this.#members.values()].filter((each) => lists.every(({ member }) => member !== each));
    const standIns = silent.flatMap((member) => {
      const response = member.streams.standIn();
      return response ? [{ member, response, isStandIn: true }] : [];
    });
    return [...lists.map((list) => ({ ...list, isStandIn: false })), ...standIns];
  }
}

/** Keys of streams for which several servers claim to be the origin. */
function contestedKeys(streams: readonly MediaServerStream[]): ReadonlySet<string> {
  const seen = new Map<string, string>();
  const contested = new Set<string>();
  for (const stream of streams.filter((each) => each.isPublished && !isReportedCopy(each))) {
    const key = streamKey(stream);
    const before = seen.get(key);
    if (before !== undefined && before !== stream.id) contested.add(key);
    seen.set(key, stream.id);
  }
  return contested;
}

function onlyUnreachable(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}

function unreachable(
  reason: 'media-server.away' | 'media-server.away-with-client',
  members: readonly ServerMember[],
): AppError {
  const servers = members.map(({ address }) => address.name).join(', ');
  return new AppError('mediaServerUnreachable', because(reason, { servers }));
}
