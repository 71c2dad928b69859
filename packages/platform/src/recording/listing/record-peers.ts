// Access to recordings on other nodes: reads their files and runs operations there. The caller was already authorized on this node.
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { AppError, because } from '@srs-stack/contract';
import type { RecordOrder } from '@srs-stack/contract/models/node-orders.ts';
import type { Actor } from '../../actor.ts';
import { type RecordBin, toRemoved } from '../record-bin.ts';
import { nodeOf, type RecordCluster, type RecordFacts } from '../record-facts.ts';
import type { RecordListing } from './record-listing.ts';

/** Request for a file on another node. */
export interface PeerRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface PeerResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The caller must read or destroy the body. */
  readonly body: Readable;
}

export interface RecordPeers {
  /** Resolves when the other node has executed the order. Throws `nodeAway`, or the error of the other node. */
  order(node: string, order: RecordOrder): Promise<void>;
  /** @param path path of a link below the prefix, with query. Throws `nodeAway` or `serverBusy`. */
  read(node: string, path: string, request: PeerRequest): Promise<PeerResponse>;
}

export interface ClusterBinDeps {
  readonly own: RecordBin;
  readonly listing: RecordListing;
  readonly nodes: RecordCluster;
  readonly peers: RecordPeers;
  /** Removes the rows and objects of nodes that will not return. */
  readonly abandoned: { forget(facts: RecordFacts): Promise<void> };
  readonly others: { bin(): (RecordFacts & { removedAt: string })[] };
}

/**
 * The recycle bins of all nodes as one bin. `discard` and `purge` affect only this node. Other operations run on the node that has the
 * recording.
 */
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
      // The node with the files has left the cluster, so its files stay. If the node returns, its folder restores the row.
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

/** Empties the bins of the other nodes. Then throws `nodeAway` with the names of the nodes that failed, if any. */
async function emptyOthers({ others, nodes, peers }: ClusterBinDeps, actor: Actor): Promise<void> {
  const having = new Map(others.bin().map((facts) => [facts.node ?? '', facts] as const));
  const orders = [...having].map(async ([id, facts]) => {
    await peers.order(reachable(facts, nodes), { action: 'empty-bin', ip: actor.ip });
    return id;
  });
  const settled = await Promise.allSettled(orders);
  const failed = [...having.values()].filter((_, index) => settled[index]?.status === 'rejected');
  if (failed.length === 0) return;
  const names = failed.map((facts) => nodeOf(facts, nodes)?.name ?? '').join(', ');
  throw new AppError('nodeAway', because('cluster.bins-away', { names }));
}

/** Id of the node that has the recording. Throws `nodeAway`. */
export function reachable(facts: RecordFacts, nodes: RecordCluster): string {
  const node = nodeOf(facts, nodes);
  if (!node || node.isAway) throw new AppError('nodeAway', because('cluster.node-away', { name: node?.name ?? '' }));
  return node.id;
}
