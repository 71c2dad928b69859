// Runs a file with Node 24 or newer: with the Node that npm installed if the current one is older, or prints what is missing. Plain
// JavaScript, because an older Node must be able to parse it.
import { spawn } from 'node:child_process';
import module from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const minimumMajor = 24;

/**
 * Path of the Node that npm installed for the module at `importer`; undefined if there is none. Not
 * `node_modules/.bin/node`: npm 9 removes that when it skips the package of the other architecture.
 */
export function findInstalledNode(importer) {
  try {
    const manifest = module.createRequire(importer).resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'bin/node');
  } catch {
    return undefined;
  }
}

/**
 * Runs `file` with `args`: in this process if its Node is new enough, otherwise in a child with the Node at `installedNode`. `preload` is
 * run before `file`; both are absolute paths. `compileCache` is a folder for compiled code; `advice` describes how to get a newer Node.
 */
export async function runWithRightNode({ file, args, installedNode, preload, compileCache, advice }) {
  if (Number.parseInt(process.versions.node, 10) >= minimumMajor) {
    // Caches compiled code, which saves half a second and 30 MB per start for TypeScript sources.
    module.enableCompileCache?.(compileCache);
    process.argv = [process.argv[0], file, ...args];
    if (preload) await import(pathToFileURL(preload).href);
    await import(pathToFileURL(file).href);
  } else if (installedNode) {
    handOver(installedNode, [...(preload ? ['--import', preload] : []), file, ...args]);
  } else {
    console.error(`Node ${minimumMajor} or newer is needed; this is ${process.version}. ${advice}`);
    process.exit(1);
  }
}

function handOver(node, args) {
  // Child processes that run `node` find this Node first.
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  const child = spawn(node, args, { stdio: 'inherit', env: { ...process.env, PATH } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => process.exit(signal ? 1 : code));
}
