import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxBackends, maxTargetUrlLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';

/** Programs a configuration is made for. */
export const balancerPrograms = ['nginx-edge', 'nginx', 'haproxy', 'caddy'] as const;
export type BalancerProgram = (typeof balancerPrograms)[number];

export const queryLoadBalancer = defineEndpoint({
  ...paths.queryLoadBalancer,
  tag: 'Web server',
  summary: 'Backend servers, and ready configurations of an HLS edge and of load balancers in front of them.',
  request: emptyRequest,
  response: z.object({
    /** As they were entered; empty: the nodes of the cluster, or the address this call was sent to. */
    backends: z.array(z.string()),
    configurations: z.array(z.object({ program: z.enum(balancerPrograms), fileName: z.string(), text: z.string() })),
    revision: settingsRevision,
  }),
});

export const updateLoadBalancer = defineEndpoint({
  ...paths.updateLoadBalancer,
  tag: 'Web server',
  summary: 'Sets the backend servers: an IP address, a domain, or a domain with protocol, each with a port if need be.',
  request: z.object({
    token: z.string().optional(),
    backends: z.array(z.string().max(maxTargetUrlLength)).max(maxBackends),
    revision: expectedRevision,
  }),
  response: nullData,
});
