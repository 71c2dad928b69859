// What a test file needs of the machine while it runs.
import { basename } from 'node:path';
import type { FileKind } from './file-admission.ts';

/**
 * They measure, fill a file system, or judge real time without a gap: anything beside them would be judged too. Or they make network
 * interfaces: a browser beside them sees the network change and aborts what it is loading.
 */
const alone = [
  'console-budget',
  'upload-disk-full',
  'attacks.long',
  'patience.long',
  'patience-nodes.long',
  'kill-table.long',
  'renditions.long',
  'nodes-namespaces.long',
];
/** Several encoders and a browser work in real time at once. */
const realTime = ['matrix', 'low-latency-hls'];

/** @param path of a test file. */
export function kindOf(path: string): FileKind {
  if (!/\be2e\//.test(path)) return 'light';
  const name = basename(path, '.test.ts');
  if (alone.includes(name)) return 'alone';
  return realTime.includes(name) ? 'realTime' : 'product';
}
