// The recordings of all nodes as one list. Recordings of this node come from its folder, recordings of other nodes from the table. The
// sorted lists are merged again only after a change.
import type { FileNode, RecordRow, RecordTotals } from '@srs-stack/contract';
import {
  matching,
  newestFirst,
  type RecordCatalogue,
  type RecordFilter,
  type RecordPage,
  totalsOf,
} from '../record-catalogue.ts';
import { nodeOf, type RecordCluster, type RecordFacts, toRow } from '../record-facts.ts';
import type { OtherRecords } from './other-records.ts';
import { createRowList } from './record-rows.ts';

const everything: RecordPage = { search: '', offset: 0, limit: undefined };

export interface RecordListingDeps {
  readonly catalogue: RecordCatalogue;
  readonly others: OtherRecords;
  readonly nodes: RecordCluster;
}

export type NodeRecords = FileNode & { readonly recordings: number };

export class RecordListing {
  readonly #deps: RecordListingDeps;
  #merged: { own: readonly RecordFacts[]; others: readonly RecordFacts[]; all: readonly RecordFacts[] } | undefined;
  /** Serialized rows; valid for this list of nodes. */
  #written: { nodes: string; rows: ReturnType<typeof createRowList> } | undefined;

  constructor(deps: RecordListingDeps) {
    this.#deps = deps;
  }

  /** Newest first. Without filter, offset and limit, returns the identical array while nothing has changed. */
  list({ offset, limit, ...filter }: RecordPage): readonly RecordFacts[] {
    const { self, isShared } = this.#deps.nodes;
    const nameOf = ({ nodeName = self.name }: RecordFacts) => (isShared ? nodeName : '');
    const found = matching(this.#all(), filter, nameOf);
    return offset === 0 && limit === undefined
      ? found
      : found.slice(offset, limit === undefined ? undefined : offset + limit);
  }

  rows(page: RecordPage): RecordRow[] {
    const found = this.list(page);
    return found === this.#all() ? this.#allRows()(found) : found.map((facts) => this.row(facts));
  }

  row(facts: RecordFacts): RecordRow {
    return toRow(facts, nodeOf(facts, this.#deps.nodes));
  }

  /** Ignores recordings in a recycle bin. If two nodes have the recording, returns the row of this node. */
  get(uuid: string): RecordFacts | undefined {
    const other = this.#deps.others.get(uuid);
    return this.#deps.catalogue.get(uuid) ?? (other?.removedAt === undefined ? other : undefined);
  }

  /** A recording of another node, even if it is in a recycle bin. */
  other(uuid: string): RecordFacts | undefined {
    const { catalogue, others } = this.#deps;
    return catalogue.get(uuid) || catalogue.removed(uuid) ? undefined : others.get(uuid);
  }

  totals(filter: RecordFilter): RecordTotals {
    return totalsOf(this.list({ ...everything, ...filter }));
  }

  /** Nodes with recordings: first this node, then other nodes by name. Undefined with a single server. */
  nodes(): NodeRecords[] | undefined {
    const { nodes } = this.#deps;
    if (!nodes.isShared) return undefined;
    const counted = new Map<string, { facts: RecordFacts; recordings: number }>();
    for (const facts of this.#all()) {
      const id = facts.node ?? nodes.self.id;
      const before = counted.get(id);
      if (before) before.recordings += 1;
      else counted.set(id, { facts, recordings: 1 });
    }
    const found = [...counted.values()].flatMap(({ facts, recordings }) => {
      const node = nodeOf(facts, nodes);
      return node ? [{ ...node, recordings }] : [];
    });
    const isSelf = ({ id }: FileNode) => id === nodes.self.id;
    return found.sort((a, b) => Number(isSelf(b)) - Number(isSelf(a)) || a.name.localeCompare(b.name));
  }

  /** Number of recordings without a copy in a bucket, by node id; empty with a single server. */
  onlyThere(): Map<string, number> {
    const { nodes } = this.#deps;
    const counts = new Map<string, number>();
    for (const { node = nodes.self.id, object } of nodes.isShared ? this.#all() : [])
      if (!object) counts.set(node, (counts.get(node) ?? 0) + 1);
    return counts;
  }

  #all(): readonly RecordFacts[] {
    const { catalogue, others } = this.#deps;
    const [own, theirs] = [catalogue.list(everything), others.list()];
    if (theirs.length === 0) return own;
    if (this.#merged?.own !== own || this.#merged.others !== theirs)
      this.#merged = {
        own,
        others: theirs,
        all: merge(
          own,
          theirs.filter(({ uuid }) => !catalogue.get(uuid)),
        ),
      };
    return this.#merged.all;
  }

  #allRows(): ReturnType<typeof createRowList> {
    const { nodes } = this.#deps;
    const known = nodes.isShared ? nodes.list().map(({ id, name, address }) => [id, name, address !== null]) : [];
    const key = JSON.stringify(known);
    if (this.#written?.nodes !== key) this.#written = { nodes: key, rows: createRowList((facts) => this.row(facts)) };
    return this.#written.rows;
  }
}

function merge(a: readonly RecordFacts[], b: readonly RecordFacts[]): readonly RecordFacts[] {
  const all: RecordFacts[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) all.push(newestFirst(a[i]!, b[j]!) < 0 ? a[i++]! : b[j++]!);
  return [...all, ...a.slice(i), ...b.slice(j)];
}
