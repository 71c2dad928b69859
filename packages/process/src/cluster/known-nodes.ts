// `run/nodes.json`: the other nodes of the cluster, which the control plane writes for the gateways. The file stays when the control plane
// exits, so that media between nodes does not depend on it. Pure.
import { maxPort } from '../listen-address.ts';

/** Name of the file in `run/` of the data folder. */
export const knownNodesFile = 'nodes.json';
/**
 * Maximum number of nodes in a cluster. Each gateway connects to every other one and announces its streams to it, so the load grows with
 * the square of this number.
 */
export const maxNodes = 64;
/** Maximum number of gateways of a node; the maximum of the variable GATEWAYS. */
const maxGatewaysOfNode = 16;

export interface KnownNode {
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Host of the node's internal port. */
  readonly host: string;
  readonly port: number;
  readonly gateways: number;
}

export function writeKnownNodes(nodes: readonly KnownNode[]): string {
  return `${JSON.stringify({ nodes: nodes.slice(0, maxNodes) })}\n`;
}

/** Skips invalid entries; undefined when the text is not in this format. */
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
