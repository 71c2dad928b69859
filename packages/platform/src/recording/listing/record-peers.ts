// What recordings need of the nodes that have others of them: their files, and that something is done there. Who asks here was judged here.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError, because } from '@srs-stack/contract';
import type { RecordOrder } from '@srs-stack/contract/models/node-orders.ts';
import type { Actor } from '../../actor.ts';
import { type RecordBin, toRemoved } from '../record-bin.ts';
import { nodeOf, type RecordCluster, type RecordFacts } from '../record-facts.ts';
import type { RecordListing } from './record-listing.ts';

/** How a file of another node is asked for. */
export interface PeerRequest {
  readonly method: string;
  /** Range and conditions of the caller. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the transfer. */
  readonly signal: AbortSignal;
}

export interface PeerAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** For the caller to read or destroy. */
  readonly body: Readable;
}

export interface RecordPeers {
  /** Resolves when the node has done it; throws what it refused with. Throws `nodeAway`. */
  order(node: string, order: RecordOrder): Promise<void>;
  /** @param path of a link below the prefix, with its query. Throws `nodeAway`, `serverBusy`. */
  read(node: string, path: string, request: PeerRequest): Promise<PeerAnswer>;
}

export interface ClusterBinDeps {
  readonly own: RecordBin;
  readonly listing: RecordListing;
  readonly nodes: RecordCluster;
  readonly peers: RecordPeers;
  /** Rows and objects of nodes that will not come back. */
  readonly abandoned: { forget(facts: RecordFacts): Promise<void> };
  readonly others: { bin(): (RecordFacts & { removedAt: string })[] };
}

/** The bins of all nodes as one; what is done with a recording is done by the node that has it. */
export function createClusterBin(deps: ClusterBinDeps): RecordBin {
  const { own, listing, nodes, peers, abandoned, others } = deps;
  return {
    discard: (uuid) => own.discard(uuid),
    purge: (which) => own.purge(which),
    list() {
      const theirs = others.bin().map((facts) => toRemoved(listing.row(facts), facts.removedAt));
      return [...own.list(), ...theirs].sort((a, b) => b.removedAt.localeCompare(a.removedAt));
    },
    async remove(uuid, forever, actor) {
      const other = listing.other(uuid);
      if (!other?.node) return own.remove(uuid, forever, actor);
      // Nobody else can: when the node comes back all the same, its folder has the recording again.
      if (forever && nodes.isGone(other.node)) return abandoned.forget(other);
      return peers.order(reachable(other, nodes), { action: 'remove', uuid, forever, ip: actor.ip });
    },
    async restore(uuid, actor) {
      const other = listing.other(uuid);
      if (!other?.node) return own.restore(uuid, actor);
      return peers.order(reachable(other, nodes), { action: 'restore', uuid, ip: actor.ip });
    },
    async empty(actor) {
      await own.empty(actor);
      await emptyOthers(deps, actor);
    },
  };
}

/** Everybody who is there empties; who is not is told of. */
async function emptyOthers({ others, nodes, peers }: ClusterBinDeps, actor: Actor): Promise<void> {
  const having = new Map(others.bin().map((facts) => [facts.node ?? '', facts] as const));
  const asked = [...having].map(async ([id, facts]) => {
    await peers.order(reachable(facts, nodes), { action: 'empty-bin', ip: actor.ip });
    return id;
  });
  const settled = await Promise.allSettled(asked);
  const away = [...having.values()].filter((_, index) => settled[index]?.status === 'rejected');
  if (away.length === 0) return;
  const names = away.map((facts) => nodeOf(facts, nodes)?.name ?? '').join(', ');
  throw new AppError('nodeAway', because('cluster.bins-away', { names }));
}

/** The node that has it. Throws `nodeAway`. */
export function reachable(facts: RecordFacts, nodes: RecordCluster): string {
  const node = nodeOf(facts, nodes);
  if (!node || node.isAway) throw new AppError('nodeAway', because('cluster.node-away', { name: node?.name ?? '' }));
  return node.id;
}
