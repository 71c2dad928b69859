// Connections to Redis or Valkey with ioredis: one server, Sentinel, or Redis Cluster. Commands have a timeout and are never sent twice, so
// that no write is executed twice. Only connections are retried.
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { ClusterAddress } from './cluster-address.ts';

/** Timeout of a command, milliseconds: calls of the gateway wait ten seconds. */
const commandTimeoutMs = 3_000;
/** Timeout of opening a connection, milliseconds. */
const connectTimeoutMs = 3_000;
/** Time without data after a command until a connection is replaced, milliseconds: the peer may have disappeared. */
const socketTimeoutMs = 6_000;
const keepAliveMs = 10_000;
/** Longest wait between two connection attempts, milliseconds, so that the return of a server is noticed within a second. */
const reconnectMs = 1_000;
const reconnectStepMs = 50;
/** Interval at which the slots of a Redis Cluster are queried, milliseconds; detects a failover even without writes. */
const slotsRefreshMs = 5_000;

export type RedisConnection = Redis | Cluster;

/** Creates a connection; the first command or `connect()` opens it. */
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
  // Every command reports its own failure. Without a listener the library would print errors to the console.
  connection.on('error', () => undefined);
  return connection;
}

/** True for a Redis Cluster: several hosts without Sentinels. */
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
  /** Without a connection, commands fail immediately. */
  enableOfflineQueue: false,
  /** Running commands fail when a connection breaks. They may have been executed, so they are not sent again. */
  autoResendUnfulfilledCommands: false,
  /** The library ignores subscription failures; callers subscribe again after a reconnect. */
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy,
  /** Reconnects when the primary became a replica, because its host name may now resolve to the new primary. */
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
    // The library resends only commands that a node refused because another node has the slot.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    redisOptions,
  };
}
