// Connects at the start. Waits briefly for a Redis that is still starting. Refuses a Redis whose configuration could lose settings.
import { StartRefusal, startRefusalOf } from '@srs-stack/process/start-refusal.ts';
import { Cluster } from 'ioredis';
import type { ClusterAddress } from './cluster-address.ts';
import { createRedisConnection, namesCluster, type RedisConnection } from './redis-connection.ts';
import { type RedisFacts, readFacts } from './redis-facts.ts';

/** Maximum wait for Redis at the start, milliseconds. After a power failure, this server and Redis start at about the same time. */
const patienceMs = 10_000;
/** Error responses for which a retry does not help. */
const noEntry = /NOAUTH|WRONGPASS|invalid password|without any password configured|NOPERM/;

export interface ConnectedRedis {
  readonly commands: RedisConnection;
  readonly facts: RedisFacts;
  readonly another: () => Promise<RedisConnection>;
}

/** Throws StartRefusal. */
export async function connectRedis(address: ClusterAddress, waitMs = patienceMs): Promise<ConnectedRedis> {
  let isCluster = namesCluster(address);
  let commands = await connect(address, isCluster, waitMs);
  try {
    let facts = await factsOf(commands);
    if (facts.some((each) => each.isClusterNode) && !isCluster) {
      commands.disconnect();
      isCluster = true;
      commands = await connect(address, isCluster, waitMs);
      facts = await factsOf(commands);
    }
    for (const each of facts) requireUsable(each, address);
    const [first] = facts;
    if (!first) throw new StartRefusal(`The store at ${address.shown} has no primary`);
    return { commands, facts: first, another: () => connect(address, isCluster, waitMs) };
  } catch (error) {
    commands.disconnect();
    throw startRefusalOf(`The store at ${address.shown} cannot be used`, error);
  }
}

async function connect(address: ClusterAddress, isCluster: boolean, waitMs: number): Promise<RedisConnection> {
  const connection = createRedisConnection(address, isCluster);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let last: Error | undefined;
  const timer = setTimeout(() => reject(last ?? new Error('Redis did not respond in time')), waitMs);
  const onError = (error: Error & { lastNodeError?: Error }) => {
    last = error.lastNodeError ?? error;
    if (noEntry.test(last.message)) reject(last);
  };
  connection.on('error', onError);
  connection.once('ready', () => resolve());
  // The library reconnects automatically. Only `ready` and errors matter here.
  connection.connect().catch(() => undefined);
  try {
    await promise;
    return connection;
  } catch (error) {
    connection.disconnect();
    throw refusalOf(address, error as Error);
  } finally {
    clearTimeout(timer);
    connection.off('error', onError);
  }
}

function refusalOf({ shown }: ClusterAddress, { message }: Error): StartRefusal {
  if (noEntry.test(message)) {
    return new StartRefusal(
      `The store at ${shown} refuses this server (${message}): correct the user name and password in CLUSTER_URL`,
    );
  }
  return new StartRefusal(`The store at ${shown} does not respond (${message}): start it, or correct CLUSTER_URL`);
}

function factsOf(connection: RedisConnection): Promise<RedisFacts[]> {
  const nodes = connection instanceof Cluster ? connection.nodes('master') : [connection];
  return Promise.all(nodes.map(async (node) => readFacts(await node.info())));
}

function requireUsable({ replicaOf, evictionPolicy }: RedisFacts, { shown }: ClusterAddress): void {
  if (replicaOf) {
    throw new StartRefusal(
      `The store at ${shown} is a read-only replica of ${replicaOf}: set CLUSTER_URL to the address of the primary or of the Sentinels`,
    );
  }
  if (evictionPolicy !== 'noeviction') {
    throw new StartRefusal(
      `The store at ${shown} may delete settings when its memory is full (maxmemory-policy ${evictionPolicy}): set maxmemory-policy to noeviction`,
    );
  }
}
