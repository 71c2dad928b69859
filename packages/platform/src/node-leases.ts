// Opens the leases of this node: selects the tasks that it accepts, and detects that an earlier process of this node has ended.
import type { WorkerKind } from '@srs-stack/contract';
import type { Log } from '@srs-stack/process/log.ts';
import { createLeases, type Leases } from './leases/cluster-leases.ts';
import { hasEnded, thisOwner } from './leases/lease-place.ts';
import type { LeaseTable } from './store/lease-table.ts';
import { readProcessFacts } from './workers/proc.ts';
import { kindOfWorker } from './workers/worker-kind.ts';

/** The leases of this node. Undefined when the store is a file: this server then runs all tasks. */
export function openNodeLeases(
  table: LeaseTable | undefined,
  nodeId: string,
  { slots, kinds }: { readonly slots: number; readonly kinds: readonly WorkerKind[] },
  log: Log,
): Leases | undefined {
  if (!table) return undefined;
  const owner = thisOwner(nodeId, readProcessFacts);
  // Whether this node accepts the task; every node accepts tasks without a kind.
  const accepts = (id: string) => {
    const kind = kindOfWorker(id);
    return kind === undefined || kinds.includes(kind);
  };
  return createLeases({ table, owner, hasEnded: (row) => hasEnded(owner, row, readProcessFacts), slots, accepts, log });
}
