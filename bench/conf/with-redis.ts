// Runs a command, such as the product, with a new Redis that stops with the command.
// The data folder is new as well, because a data folder works only with the store that created it.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { startRedis, testClusterSecret } from '../../packages/platform/src/testing/redis-server.ts';

const redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
const dataDir = process.env.DATA_DIR ?? '';
if (dataDir === '') throw new Error('set DATA_DIR to a folder for the run; its contents are deleted');
rmSync(dataDir, { recursive: true, force: true });
mkdirSync(dataDir, { recursive: true });
const cluster = { CLUSTER_URL: redis.url, CLUSTER_SECRET: testClusterSecret, CLUSTER_LISTEN: 'off' };
const [command = '', ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, ...cluster } });
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
child.once('exit', (code) => {
  redis.dispose().then(
    () => process.exit(code ?? 0),
    () => process.exit(1),
  );
});
