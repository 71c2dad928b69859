// Finds a Node on the machine that is too old for the product.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const minimumMajor = 24;

/** Path of the first Node on `PATH` (outside of `node_modules`) that is too old; undefined when every Node is new enough. */
export const olderNode = findOlderNode();

function findOlderNode(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'));
  return folders
    .map((folder) => join(folder, 'node'))
    .filter((path) => existsSync(path))
    .find((path) => majorOf(path) < minimumMajor);
}

function majorOf(node: string): number {
  return Number.parseInt(spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout, 10);
}
