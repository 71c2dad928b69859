// Opens the leases of this node. Decides which tasks this node accepts, and detects that an earlier process of this node has ended.
import type { WorkerKind } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { createLeases, type Leases } from './leases/cluster-leases.ts';
import { hasEnded, thisOwner } from './leases/lease-place.ts';
import type { LeaseTable } from './store/lease-table.ts';
import { readProcessFacts } from './workers/proc.ts';
import { kindOfWorker } from './workers/worker-kind.ts';

/** The leases of this node. Undefined for a file store, where one server runs all tasks. */
export function openNodeLeases(
  table: LeaseTable | undefined,
  nodeId: string,
  { slots, kinds }: { readonly slots: number; readonly kinds: readonly WorkerKind[] },
  log: Log,
): Leases | undefined {
  if (!table) return undefined;
  const owner = thisOwner(nodeId, readProcessFacts);
  // Every node accepts a task without a kind.
  const accepts = (id: string) => {
    const kind = kindOfWorker(id);
    return kind === undefined || kinds.includes(kind);
  };
  return createLeases({ table, owner, hasEnded: (row) => hasEnded(owner, row, readProcessFacts), slots, accepts, log });
}
