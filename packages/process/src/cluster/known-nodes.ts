// `run/nodes.json`: the other nodes of the cluster. The control plane writes the file for the gateways. The file is kept when the control
// plane exits, so that gateways still reach other nodes. Pure.
import { maxPort } from '../listen-address.ts';

export const knownNodesFile = 'nodes.json';
/**
 * Maximum number of listed nodes. Each gateway connects to all others and announces its streams, so the load grows with the square of the
 * number of nodes.
 */
export const maxNodes = 64;
/** Maximum number of gateways of a node, as for the variable GATEWAYS. */
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

/** Parses the file and skips invalid entries; undefined if the text has another format. */
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
