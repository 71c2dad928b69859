// Common parts of both nginx configurations.
import { type BalancedServers, protocolOf, webAddresses } from './balancer-servers.ts';

/** The `upstream` block. @param sticky directive that assigns clients to servers. */
export function nginxUpstream(balanced: BalancedServers, sticky: string): string {
  const servers = webAddresses(balanced).map((address) => `        server ${address} max_fails=2 fail_timeout=5s;`);
  return ['    upstream srs_stack {', `        ${sticky}`, ...servers, '        keepalive 64;', '    }'].join('\n');
}

export function nginxTls(servers: BalancedServers, indent: string): string {
  return protocolOf(servers) === 'https' ? `\n${indent}proxy_ssl_server_name on;` : '';
}

export const nginxHead = `worker_processes auto;
worker_rlimit_nofile 65536;

events {
    worker_connections 16384;
}
`;
