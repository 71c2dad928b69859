// `run/nodes.json`: the other nodes of the cluster, written by the control plane for the gateways. It remains after the
// control plane exits, so media between nodes does not depend on it. Pure.
import { maxPort } from '../listen-address.ts';

/** In `run/` of the data folder. */
export const knownNodesFile = 'nodes.json';
/** Maximum number of gateways in a cluster: each connects to every other one; with more, announcements alone would be a load. */
export const maxNodes = 64;
/** As GATEWAYS allows. */
const maxGatewaysOfNode = 16;

export interface KnownNode {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Of its internal port. */
  readonly host: string;
  readonly port: number;
  readonly gateways: number;
}

export function writeKnownNodes(nodes: readonly KnownNode[]): string {
  return `${JSON.stringify({ nodes: nodes.slice(0, maxNodes) })}\n`;
}

/** Skips invalid entries; undefined when the text is not such a file. */
export function parseKnownNodes(text: string): KnownNode[] | undefined {
  try {
    const { nodes } = JSON.parse(text) as { nodes?: unknown };
    return Array.isArray(nodes) ? nodes.filter(isKnownNode).slice(0, maxNodes) : undefined;
  } catch {
    return undefined;
  }
}

function isKnownNode(node: Partial<Record<keyof KnownNode, unknown>> | null): node is KnownNode {
  const { id, name, host, port, gateways } = node ?? {};
  const isCount = (value: unknown, most: number) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most;
  const areTexts = [id, name, host].every((value) => typeof value === 'string' && value !== '');
  return areTexts && isCount(port, maxPort) && isCount(gateways, maxGatewaysOfNode);
}
