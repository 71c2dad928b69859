import type * as calls from '@srs-stack/contract/endpoints/settings/load-balancer.ts';
import type { Settings } from '../../settings/open-settings.ts';
import type { HandlersOf } from '../handlers.ts';

export function loadBalancerRoutes({ loadBalancer }: Settings): HandlersOf<typeof calls> {
  return {
    queryLoadBalancer: (_request, { origin }) => loadBalancer.query(origin),
    async updateLoadBalancer({ backends, revision }, { actor }) {
      await loadBalancer.change(backends, revision, actor);
      return null;
    },
  };
}
