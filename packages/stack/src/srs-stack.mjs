#!/usr/bin/env node
// The command `srs-stack` of the package that `npm run pack` makes. Plain JavaScript that older releases of Node can parse.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findInstalledNode, runWithRightNode } from './right-node.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const help = `SRS Stack ${version}: a live-streaming server with a web console

Usage: srs-stack [command]

  start             run the server until it is stopped (the default)
  secret            print the API secret of the running server
  health            succeed only while the running server responds
  drain             take no new publishers and wait for viewers (--wait seconds), before a stop; --undo ends it
  may-upgrade       succeed only while the upgrade window of the running server is open
  rebuild-records   repair the list of recordings; the server must be stopped
  move-store        copy the store into Redis (--to redis://…) or back (--to sqlite); the server must be stopped

  -h, --help        print this text
  -v, --version     print the version

The data is in ~/.srs-stack, or where the environment variable DATA_DIR says. Ports and all other settings are environment
variables as well, or lines of config/.env in the data folder: see README.md and configuration.md in
${root}
`;

/** Interval of checks whether npx has exited, milliseconds. */
const parentCheckMs = 500;

/** Name of each command's bundle in the folder `servers`. */
const commands = {
  start: 'stack',
  secret: 'secret',
  drain: 'drain',
  health: 'health',
  'may-upgrade': 'may-upgrade',
  'rebuild-records': 'rebuild-records',
  'move-store': 'move-store',
};

/** Ends this process with its parent: npx runs a shell in between, which dies of a signal without forwarding it. */
function endWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, parentCheckMs);
  watch.unref();
}

async function run(command, args) {
  if (process.env.npm_lifecycle_event === 'npx') endWithParent();
  process.env.DATA_DIR ||= join(homedir(), '.srs-stack');
  await runWithRightNode({
    file: join(root, 'servers', `${commands[command]}.js`),
    args,
    installedNode: findInstalledNode(import.meta.url),
    preload: join(root, 'servers/source-names.js'),
    compileCache: join(process.env.DATA_DIR, 'run/compile-cache'),
    advice: 'Install one from https://nodejs.org.',
  });
}

const [command = 'start', ...args] = process.argv.slice(2);
if (['-h', '--help', 'help'].includes(command)) console.log(help.trimEnd());
else if (['-v', '--version'].includes(command)) console.log(version);
else if (Object.hasOwn(commands, command)) await run(command, args);
else {
  console.error(`srs-stack: unknown command "${command}"; srs-stack --help lists them.`);
  process.exitCode = 2;
}
