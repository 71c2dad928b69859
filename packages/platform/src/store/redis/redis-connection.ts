// Connections to Redis or Valkey with ioredis: one server, Sentinel, or Redis Cluster. A command is sent once and either
// answered or failed in a bounded time; only connections are tried again, so that no write happens twice.
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { ClusterAddress } from './cluster-address.ts';

/** A command without an answer has failed after this time, milliseconds: callers of the gateway wait ten seconds. */
const commandTimeoutMs = 3_000;
const connectTimeoutMs = 3_000;
/** A connection that has been silent this long after a command is replaced, milliseconds: the other end may be gone without a word. */
const socketTimeoutMs = 6_000;
const keepAliveMs = 10_000;
/** Longest wait between two attempts to connect, milliseconds: what is back is noticed within a second. */
const reconnectMs = 1_000;
const reconnectStepMs = 50;
/** How often a Redis Cluster is asked which node has which slots, milliseconds: a failover is noticed without a failed write. */
const slotsRefreshMs = 5_000;

export type RedisConnection = Redis | Cluster;

/** Opens nothing yet: the first command or `connect()` does. */
export function createRedisConnection(address: ClusterAddress, isCluster: boolean): RedisConnection {
  const { hosts, username, password, tls, database, sentinel } = address;
  const options = {
    ...limits,
    ...(username && { username }),
    ...(password && { password }),
    ...(tls && { tls: {} }),
  } satisfies RedisOptions;
  const connection = isCluster
    ? new Cluster([...hosts], clusterOptions(options))
    : new Redis({
        ...options,
        db: database,
        ...(sentinel ? sentinelOptions(address, sentinel) : hosts[0]),
      });
  // Every command tells its own failure; without a listener the library prints to the console.
  connection.on('error', () => undefined);
  return connection;
}

/** True when the address leads to a Redis Cluster: several hosts without Sentinels. */
export function namesCluster({ hosts, sentinel }: ClusterAddress): boolean {
  return hosts.length > 1 && !sentinel;
}

const retryStrategy = (times: number) => Math.min(times * reconnectStepMs, reconnectMs);

const limits = {
  lazyConnect: true,
  connectTimeout: connectTimeoutMs,
  commandTimeout: commandTimeoutMs,
  socketTimeout: socketTimeoutMs,
  keepAlive: keepAliveMs,
  /** While there is no connection, commands fail at once. */
  enableOfflineQueue: false,
  /** What was under way when a connection broke fails; whether it was done is not known, so nothing sends it again. */
  autoResendUnfulfilledCommands: false,
  /** The library does not look at what becomes of it: who subscribes does so again when the connection is back. */
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy,
  /** A primary that became a replica, behind a name that leads elsewhere by now: another connection finds the new one. */
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions;

function sentinelOptions({ hosts, tls }: ClusterAddress, { name, password }: { name: string; password: string }) {
  return {
    sentinels: [...hosts],
    name,
    ...(password && { sentinelPassword: password }),
    ...(tls && { enableTLSForSentinelMode: true }),
    sentinelRetryStrategy: retryStrategy,
    failoverDetector: true,
  } satisfies RedisOptions;
}

function clusterOptions(redisOptions: RedisOptions): ClusterOptions {
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    slotsRefreshInterval: slotsRefreshMs,
    slotsRefreshTimeout: connectTimeoutMs,
    clusterRetryStrategy: retryStrategy,
    // Nothing is sent again but what a node has refused because another one has the slot.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    redisOptions,
  };
}
