// Another gateway as the target of calls: over a Unix socket on this node, over TLS to another node.
import type { ClientRequest, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { KnownNode } from '@srs-stack/process/cluster/known-nodes.ts';
import { Agent as HttpAgent, request as httpRequest } from '@srs-stack/process/node-http.ts';

/**
 * Maximum number of connections for calls to one gateway. Most calls take a millisecond, but blocking requests of 8,000 low-latency players
 * wait.
 */
const maxSockets = 16_384;

export interface CallTarget {
  /** Name for logs. */
  readonly name: string;
  /**
   * Order of gateways. When publishers of one stream started on two gateways in one millisecond, the gateway with the lower rank keeps its
   * publisher.
   */
  readonly rank: string;
  /** True for a gateway of another node, whose files are not in a shared folder. A network failure may go unnoticed. */
  readonly isRemote: boolean;
  /** @param hasOwnConnection uses a separate connection, which is closed after the call. */
  request(options: RequestOptions, hasOwnConnection: boolean): ClientRequest;
  close(): void;
}

/** @param nodeId node of the gateway; '' without a cluster. */
export function rankOf(nodeId: string, gateway: number): string {
  return `${nodeId}/${String(gateway).padStart(3, '0')}`;
}

export function localTarget(socketPath: string, nodeId: string, gateway: number): CallTarget {
  const agent = new HttpAgent({ keepAlive: true, maxSockets });
  return {
    name: `gateway-${gateway}`,
    rank: rankOf(nodeId, gateway),
    isRemote: false,
    request: (options, hasOwnConnection) =>
      httpRequest({ ...options, socketPath, agent: hasOwnConnection ? false : agent }),
    close: () => agent.destroy(),
  };
}

export function remoteTarget(tls: ClusterTls, { id, name, host, port }: KnownNode, gateway: number): CallTarget {
  // Resumed TLS sessions are disabled, because a resumed session would skip the check of the certificate.
  const agent = new HttpsAgent({ keepAlive: true, maxSockets, maxCachedSessions: 0 });
  return {
    name: `${name}/gateway-${gateway}`,
    rank: rankOf(id, gateway),
    isRemote: true,
    request: (options, hasOwnConnection) => {
      const way = { host, port, ...tls.clientOptions(id, gateway), agent: hasOwnConnection ? false : agent };
      return httpsRequest({ ...options, ...way });
    },
    close: () => agent.destroy(),
  };
}
