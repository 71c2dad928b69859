// Configurations for servers in front of this product: a caching HLS edge, and load balancers. Tests run these programs with the generated
// configurations.
import type { BalancerProgram } from '@srs-stack/contract';
import type { BalancedServers } from './balancer-texts/balancer-servers.ts';
import { caddyText } from './balancer-texts/caddy-text.ts';
import { haproxyText } from './balancer-texts/haproxy-text.ts';
import { nginxBalancerText } from './balancer-texts/nginx-balancer-text.ts';
import { nginxEdgeText } from './balancer-texts/nginx-edge-text.ts';

export interface BalancerConfiguration {
  readonly program: BalancerProgram;
  readonly fileName: string;
  readonly text: string;
}

export function balancerConfigurations(servers: BalancedServers): BalancerConfiguration[] {
  return [
    { program: 'nginx-edge', fileName: 'nginx.conf', text: nginxEdgeText(servers) },
    { program: 'nginx', fileName: 'nginx.conf', text: nginxBalancerText(servers) },
    { program: 'haproxy', fileName: 'haproxy.cfg', text: haproxyText(servers) },
    { program: 'caddy', fileName: 'Caddyfile', text: caddyText(servers) },
  ];
}
