// Adds the gateways of other nodes as media servers, through the internal port of each node.
import type { ClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { KnownNode } from '@srs-stack/process/cluster/known-nodes.ts';
import type { MediaServerAddress, MediaServerAddresses } from './media-server-address.ts';

export interface ClusterGatewaysDeps {
  readonly own: MediaServerAddresses;
  readonly nodes: () => readonly KnownNode[];
  readonly tls: ClusterTls;
}

/** Lists the gateways of this node first. */
export function createClusterGateways({ own, nodes, tls }: ClusterGatewaysDeps): MediaServerAddresses {
  let known = new Map<string, MediaServerAddress>();
  return {
    async list() {
      const next = new Map<string, MediaServerAddress>();
      for (const node of nodes()) {
        for (let gateway = 0; gateway < node.gateways; gateway++) {
          const place = `${node.id} ${node.host} ${node.port} ${gateway}`;
          next.set(place, known.get(place) ?? gatewayOf(node, gateway, tls));
        }
      }
      known = next;
      return [...(await own.list()), ...next.values()];
    },
  };
}

function gatewayOf({ id, name, host, port }: KnownNode, gateway: number, tls: ClusterTls): MediaServerAddress {
  return {
    name: `${name}/gateway-${gateway}`,
    current: async () => ({ host, port }),
    forget: () => undefined,
    tls: () => tls.clientOptions(id, gateway),
  };
}
