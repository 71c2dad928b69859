// Resources that a test file needs during its run.
import { basename } from 'node:path';
import type { FileKind } from './file-admission.ts';

/**
 * Files that must run alone. Some measure, fill a file system, or test real time without gaps, and other files would affect the result.
 * Some create network interfaces: a browser of another file would detect a network change and abort its requests.
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
const realTime = ['matrix', 'low-latency-hls'];

/** @param path of a test file. */
export function kindOf(path: string): FileKind {
  if (!/\be2e\//.test(path)) return 'light';
  const name = basename(path, '.test.ts');
  if (alone.includes(name)) return 'alone';
  return realTime.includes(name) ? 'realTime' : 'product';
}
