// The Cluster page: all servers that share the store, their tasks and problems, and the settings for another server to join.
import { AppError, because, type ClusterTrouble, changed, type WorkerKind, workerKinds } from '@srs-stack/contract';
import type { Actor } from '../../actor.ts';
import type { ClusterNode, NodeRegistry, NodeTrouble } from '../../nodes/node-registry.ts';
import { kindOfWorker } from '../../workers/worker-kind.ts';
import { createNodeDrain, type NodeDrainDeps } from './node-drain.ts';

interface TaskHolders {
  /** Node id by task id; unassigned tasks are absent. */
  holders(): ReadonlyMap<string, string>;
  /** Number of enabled tasks without a node. */
  nowhere(): number;
}

export interface ClusterDeps extends NodeDrainDeps {
  readonly nodes: Pick<NodeRegistry, 'self' | 'list' | 'troubles' | 'isShared' | 'setState'>;
  readonly leases: (TaskHolders & NonNullable<NodeDrainDeps['leases']>) | undefined;
  /** Number of recordings, and number of files, that only one node has; by id of that node. */
  readonly onlyThere: { recordings(): ReadonlyMap<string, number>; files(): Promise<ReadonlyMap<string, number>> };
  readonly settings: ClusterAccess | undefined;
}

/** Cluster settings of this server, which another server needs to join. */
interface ClusterAccess {
  readonly name: string;
  readonly secret: string;
  /** `url` contains the password of the store, `shown` does not. */
  readonly address: {
    readonly url: string;
    readonly shown: string;
    readonly hosts: readonly { readonly host: string }[];
  };
}

export type Cluster = ReturnType<typeof createCluster>;

export function createCluster(deps: ClusterDeps) {
  const { nodes, leases, onlyThere, settings, audit, now } = deps;
  const nodeDrain = createNodeDrain(deps);
  return {
    drain: (node: string, draining: boolean, actor: Actor) => nodeDrain.change(node, draining, actor),
    async query() {
      const holders = [...(leases?.holders() ?? [])];
      const [recordings, files] = [onlyThere.recordings(), await onlyThere.files()];
      const onlyOn = (id: string) => ({ recordings: recordings.get(id) ?? 0, files: files.get(id) ?? 0 });
      return {
        isShared: nodes.isShared,
        name: settings?.name ?? '',
        store: settings?.address.shown ?? '',
        nodes: nodes.list().map((node) => ({ ...toRow(node, holders), onlyHere: onlyOn(node.id) })),
        troubles: [...nodes.troubles().map((each) => toTrouble(each, now())), ...troublesOf(settings, leases)],
      };
    },
    async join(actor: Actor) {
      if (!settings) throw new AppError('notFound', because('cluster.none'));
      await audit.record('setting-changed', actor, changed('cluster.join-shown'));
      const { address, secret, name } = settings;
      return { url: address.url, secret, name };
    },
  };
}

function toRow(node: ClusterNode, holders: readonly (readonly [task: string, node: string])[]) {
  const { id, name, isSelf, address, version, startedAt, gateways, state, load } = node;
  const own = holders.filter(([, holder]) => holder === id);
  const count = (kind: WorkerKind) => own.filter(([task]) => kindOfWorker(task) === kind).length;
  const [forward, vlive, transcode] = workerKinds.map(count) as [number, number, number];
  return {
    ...{ id, name, isSelf, version, startedAt, gateways, state, load },
    address: address ? withPort(address) : '',
    tasks: { forward, vlive, transcode },
  };
}

function withPort({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function toTrouble(trouble: NodeTrouble, now: Date): ClusterTrouble {
  const { kind } = trouble;
  if (kind === 'registry-away')
    return { kind, seconds: Math.max(0, Math.round((now.getTime() - trouble.sinceMs) / 1_000)) };
  if (kind === 'clock-off') return { kind, seconds: Math.round(trouble.aheadMs / 1_000) };
  if (kind === 'id-taken') return { kind, name: trouble.byName };
  if (kind === 'version') return { kind, name: trouble.name, version: trouble.version };
  return { kind };
}

const loopback = /^(?:localhost|127\.|::1$)/;

function troublesOf(settings: ClusterAccess | undefined, leases: TaskHolders | undefined): ClusterTrouble[] {
  const found: ClusterTrouble[] = [];
  if (settings?.address.hosts.some(({ host }) => loopback.test(host))) found.push({ kind: 'store-on-this-machine' });
  const count = leases?.nowhere() ?? 0;
  if (count > 0) found.push({ kind: 'tasks-nowhere', count });
  return found;
}
