// A cluster node for tests that kill, freeze and disconnect nodes. Runs one task of the shared store: sends a test tone to an address in
// real time. Prints `begun` after the start, and log messages, one per line.
import { forwardLimits } from '@srs-stack/process/programs/media-limits.ts';
import { createLeases } from '../leases/cluster-leases.ts';
import { hasEnded, thisOwner } from '../leases/lease-place.ts';
import { parseClusterAddress } from '../store/redis/cluster-address.ts';
import { openRedisStore } from '../store/redis/open-redis-store.ts';
import { createTaskWorkers } from '../tasks/task-workers.ts';
import { readProcessFacts } from '../workers/proc.ts';
import type { PlanResult } from '../workers/worker-plan.ts';
import { testClusterSecret } from './redis-server.ts';

const [, , url = '', node = '', target = '', slots = '10'] = process.argv;
const say = (text: string) => process.stdout.write(`${text}\n`);
const silent = {
  debug() {},
  info: (_: object, text: string) => say(text),
  warn: (_: object, text: string) => say(text),
  error: (_: object, text: string) => say(text),
};
const cluster = { address: parseClusterAddress(url), name: 'test', secret: testClusterSecret };
const opened = await openRedisStore(cluster, { now: new Date(), log: silent, knownId: undefined, knownIdFile: '' });
const owner = thisOwner(node, readProcessFacts);
const leases = createLeases({
  table: opened.leases,
  owner,
  hasEnded: (row) => hasEnded(owner, row, readProcessFacts),
  slots: Number(slots),
  accepts: () => true,
  log: silent,
});
const args = ['-nostdin', '-progress', 'pipe:1', '-re', '-f', 'lavfi', '-i', 'sine', '-c:a', 'aac'];
const plan = async (): Promise<PlanResult> => ({
  kind: 'run',
  plan: {
    mayUse: forwardLimits,
    args: [...args, '-metadata', `title=${node}`, '-flush_packets', '1', '-f', 'mpegts', target],
    secrets: [],
    watchesSpeed: false,
    facts: {},
  },
});
const workers = createTaskWorkers({
  store: opened.store,
  ownerId: `test-${node}-${process.pid}`,
  log: silent,
  shares: leases,
});
const wanted = new Map([['forward:x', { plan, suits: async () => true }]]);
const stopping = new AbortController();
process.once('SIGTERM', () => {
  stopping.abort();
  workers
    .close()
    .then(() => opened.store.close())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
});
await workers.begin([{ prefix: 'forward:', kept: 'forwards', wanted: async () => wanted }], stopping.signal);
say('begun');
setInterval(() => undefined, 60_000);
