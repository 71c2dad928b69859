// One other gateway as a place that calls are sent to: over a Unix socket on this node, over TLS on another one.
import type { ClientRequest, RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { ClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { KnownNode } from '@srs-stack/process/cluster/known-nodes.ts';
import { Agent as HttpAgent, request as httpRequest } from '@srs-stack/process/node-http.ts';

/** Connections for calls to one gateway: most are answered in a millisecond, but playlists and parts of 8,000 low-latency players wait. */
const maxSockets = 16_384;

export interface CallTarget {
  /** For logs. */
  readonly name: string;
  /** Orders gateways: of two that got the same stream at the same moment the one of the lower rank keeps it. */
  readonly rank: string;
  /** On another node: what lies in the folder of one is not in that of the other, and a cut line may say nothing. */
  readonly isRemote: boolean;
  /** @param hasOwnConnection it is not shared with other calls and ends with this one. */
  request(options: RequestOptions, hasOwnConnection: boolean): ClientRequest;
  /** Ends kept connections. */
  close(): void;
}

/** @param nodeId of the node of the gateway; '' for a node without a cluster. */
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
  // A session that is taken up again would skip the look at the certificate.
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
