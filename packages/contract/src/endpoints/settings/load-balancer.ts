import { z } from 'zod';
import { maxBackends, maxTargetUrlLength } from '../../limits.ts';
import { settingCalls } from '../../models/setting.ts';
import { paths } from '../../paths.ts';

export const balancerPrograms = ['nginx-edge', 'nginx', 'haproxy', 'caddy'] as const;
export type BalancerProgram = (typeof balancerPrograms)[number];

export const { query: queryLoadBalancer, update: updateLoadBalancer } = settingCalls({
  tag: 'Web server',
  query: {
    ...paths.queryLoadBalancer,
    summary: 'Returns the backend servers, and ready-to-use configurations of an HLS edge and of load balancers.',
  },
  update: {
    ...paths.updateLoadBalancer,
    summary:
      'Sets the backend servers: an IP address, a domain, or a domain with protocol, each with an optional port.',
  },
  shown: {
    /** Entered backends; if empty, the configuration contains the cluster's nodes or the address of this request. */
    backends: z.array(z.string()),
    configurations: z.array(z.object({ program: z.enum(balancerPrograms), fileName: z.string(), text: z.string() })),
  },
  sent: { backends: z.array(z.string().max(maxTargetUrlLength)).max(maxBackends) },
});
