// A Redis Cluster of two primaries, each with half of the slots.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseClusterAddress } from '../store/redis/cluster-address.ts';
import type { ClusterSettings } from '../store/redis/open-redis-store.ts';
import { startRedis, testClusterSecret } from './redis-server.ts';

const clusterOptions = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000'];
const lastSlot = 16_383;
const half = 8_192;

export async function startRedisCluster() {
  const nodes = await Promise.all([startRedis(clusterOptions), startRedis(clusterOptions)]);
  const [first, second] = nodes;
  await first.client.call('CLUSTER', 'ADDSLOTSRANGE', 0, half - 1);
  await second.client.call('CLUSTER', 'ADDSLOTSRANGE', half, lastSlot);
  await first.client.call('CLUSTER', 'MEET', '127.0.0.1', second.port);
  const isReady = async () => {
    const states = await Promise.all(nodes.map(({ client }) => client.call('CLUSTER', 'INFO')));
    return states.every((state) => String(state).includes('cluster_state:ok'));
  };
  while (!(await isReady())) await sleep(50);
  return {
    nodes,
    /** Settings with both nodes, or with only one node. A Redis Cluster client learns the other node by itself. */
    cluster: (hosts: 1 | 2 = 2): ClusterSettings => ({
      address: parseClusterAddress(`redis://${nodes.slice(0, hosts).map(({ port }) => `127.0.0.1:${port}`)}`),
      name: 'test',
      secret: testClusterSecret,
    }),
    dispose: async () => {
      await Promise.all(nodes.map((node) => node.dispose()));
    },
  };
}
