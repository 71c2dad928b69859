// Detects changed files without reading them, which takes a tenth of the time. Compares a hash of names, sizes, inodes and times. Writing a
// file changes its ctime, which no program can set back.
import { createHash, type Hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const notSource = /^(dist|node_modules|\.build-.*)$|\.test\.tsx?$/;

/**
 * Hash of the state of all inputs. Throws for a missing input.
 * @param inputs files and folders, relative to the checkout. A folder includes all sources below it.
 */
export function stateOfSources(checkout: string, inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const input of inputs) addState(hash, checkout, input);
  return hash.digest('hex');
}

function addState(hash: Hash, checkout: string, path: string): void {
  const stats = statSync(join(checkout, path), { bigint: true });
  if (stats.isDirectory()) {
    const names = readdirSync(join(checkout, path)).sort();
    for (const name of names) if (!notSource.test(name)) addState(hash, checkout, join(path, name));
    return;
  }
  hash.update([path, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join('\0')).update('\0\0');
}
