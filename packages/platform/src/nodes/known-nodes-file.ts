// Writes the list of other nodes to a file for the gateways of this node. The file outlives this process.
import { join } from 'node:path';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { type KnownNode, knownNodesFile, writeKnownNodes } from '@srs-stack/process/cluster/known-nodes.ts';
import { inBackground } from '@srs-stack/process/in-background.ts';
import type { Log } from '@srs-stack/process/log.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { ClusterNode, NodeRegistry } from './node-registry.ts';

/** The file contains no secrets. */
const readableByAll = 0o644;

/** Writes the file on each change of the nodes. Returns a function that stops the writing. */
export function keepKnownNodesFile(registry: NodeRegistry, runFolder: string, log: Log): () => void {
  if (!registry.isShared) return () => undefined;
  const oneAtATime = createOneAtATime();
  return registry.subscribe((nodes) => {
    const write = () =>
      writeFileAtomically(join(runFolder, knownNodesFile), writeKnownNodes(others(nodes)), readableByAll);
    inBackground(oneAtATime(write), log, 'the list of nodes for the gateways could not be written');
  });
}

/** All nodes that have an address, except this node. */
export function others(nodes: readonly ClusterNode[]): KnownNode[] {
  return nodes.flatMap(({ id, name, address, gateways, isSelf }) =>
    isSelf || !address ? [] : [{ id, name, ...address, gateways }],
  );
}
