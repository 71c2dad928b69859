// Draining of a node: notifies the cluster, and sends requests to other nodes through the shared store.
import { AppError, because, changed, switched } from '@srs-stack/contract';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { z } from 'zod';
import { type Actor, thisServer } from '../../actor.ts';
import type { NodeRegistry } from '../../nodes/node-registry.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import type { DocumentType, Store } from '../../store/store.ts';

/** Pending requests by id of the node that must execute the request. */
type Requests = Readonly<Record<string, { readonly draining: boolean; readonly atMs: number }>>;
const requestsDocument: DocumentType<Requests> = {
  key: 'drain-requests',
  schema: z.record(z.string(), z.object({ draining: z.boolean(), atMs: z.number() })),
  empty: {},
};
/** Lifetime of a request, milliseconds. A node that was down longer ignores the request. */
const requestLifeMs = 30_000;

export interface NodeDrainDeps {
  readonly store: Pick<Store, 'read' | 'get' | 'set' | 'subscribe'>;
  readonly nodes: Pick<NodeRegistry, 'self' | 'list' | 'setState'>;
  readonly drain: {
    since(): string;
    change(draining: boolean, actor: Actor): Promise<void>;
    onChange(listener: (draining: boolean) => void): void;
  };
  readonly leases: { setDraining(draining: boolean): void } | undefined;
  readonly audit: AuditTrail;
  readonly log: Log;
  readonly now: () => Date;
}

export interface NodeDrain {
  /** Throws `notFound` for an unknown node. */
  change(node: string, draining: boolean, actor: Actor): Promise<void>;
}

export function createNodeDrain({ store, nodes, drain, leases, audit, log, now }: NodeDrainDeps): NodeDrain {
  const takePart = (draining: boolean) => {
    // A single node keeps its tasks, because no other node could run them.
    const hasOthers = nodes.list().some(({ isSelf, state }) => !isSelf && state === 'running');
    leases?.setDraining(draining && hasOthers);
    inBackground(nodes.setState(draining ? 'draining' : 'running'), log, 'other nodes were not notified of draining');
  };
  drain.onChange(takePart);
  if (drain.since() !== '') takePart(true);

  const obey = async () => {
    const { value, revision } = await store.read(requestsDocument);
    const { [nodes.self.id]: own, ...others } = value;
    if (!own) return;
    if (now().getTime() - own.atMs < requestLifeMs) await drain.change(own.draining, thisServer);
    await store.set(requestsDocument, others, revision);
  };
  store.subscribe((change) => {
    const isRelevant =
      change.kind === 'anything' || (change.kind === 'document' && change.key === requestsDocument.key);
    return isRelevant ? obey() : undefined;
  });

  return {
    async change(id, draining, actor) {
      if (id === nodes.self.id) return drain.change(draining, actor);
      const node = nodes.list().find((each) => each.id === id);
      if (!node) throw new AppError('notFound', because('cluster.no-node', { id }));
      const { value, revision } = await store.read(requestsDocument);
      await store.set(requestsDocument, { ...value, [id]: { draining, atMs: now().getTime() } }, revision);
      const detail = changed('cluster.drain', { name: node.name, state: switched(draining) });
      await audit.record('setting-changed', actor, detail);
    },
  };
}
