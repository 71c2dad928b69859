// Runs a command beside a Redis of its own, which ends with it: the product with its store there. The store is new each time, and
// so is the data folder, which remembers the store it has used.
import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { startRedis, testClusterSecret } from '../../packages/platform/src/testing/redis-server.ts';

const redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'everysec']);
const dataDir = process.env.DATA_DIR ?? '';
if (dataDir === '') throw new Error('DATA_DIR names the folder to begin with, which is emptied');
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
