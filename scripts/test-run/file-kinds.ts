// Resources that a test file needs while it runs.
import { basename } from 'node:path';
import type { FileKind } from './file-admission.ts';

/**
 * Files that must run alone: they measure, fill a file system, or test real time without gaps, so anything beside them would affect the
 * result. Or they create network interfaces, and a browser beside them would detect a network change and abort its requests.
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
/** Several encoders and a browser work in real time simultaneously. */
const realTime = ['matrix', 'low-latency-hls'];

/** @param path of a test file. */
export function kindOf(path: string): FileKind {
  if (!/\be2e\//.test(path)) return 'light';
  const name = basename(path, '.test.ts');
  if (alone.includes(name)) return 'alone';
  return realTime.includes(name) ? 'realTime' : 'product';
}
