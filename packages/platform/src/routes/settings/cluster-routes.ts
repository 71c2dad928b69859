import type * as calls from '@srs-stack/contract/endpoints/settings/cluster.ts';
import type { Cluster } from '../../settings/cluster/cluster.ts';
import type { HandlersOf } from '../handlers.ts';

export function clusterRoutes({ cluster }: { cluster: Cluster }): HandlersOf<typeof calls> {
  return {
    queryCluster: () => cluster.query(),
    async drainNode({ node, draining }, { actor }) {
      await cluster.drain(node, draining, actor);
      return null;
    },
    queryClusterJoin: (_request, { actor }) => cluster.join(actor),
  };
}
