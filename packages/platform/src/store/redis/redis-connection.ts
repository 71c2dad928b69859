// Connections to Redis or Valkey with ioredis: one server, Sentinel, or Redis Cluster. Connections are retried. A command has a timeout. A
// command that may have been executed is never sent again, because a write could then run twice.
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';
import type { ClusterAddress } from './cluster-address.ts';

/** Command timeout, milliseconds: calls of the gateway time out after ten seconds. */
const commandTimeoutMs = 3_000;
/** Timeout of opening a connection, milliseconds. */
const connectTimeoutMs = 3_000;
/** Replaces a connection that delivers no data for this long after a command, milliseconds: the server may have disappeared. */
const socketTimeoutMs = 6_000;
const keepAliveMs = 10_000;
/** Maximum pause between connection attempts, milliseconds. A server that returns is noticed within a second. */
const reconnectMs = 1_000;
const reconnectStepMs = 50;
/** Interval of queries for the slots of a Redis Cluster, milliseconds. Detects a failover even without writes. */
const slotsRefreshMs = 5_000;

export type RedisConnection = Redis | Cluster;

/** Creates a closed connection, which `connect()` opens. */
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
  // Every command reports its own error. Without a listener, the library also prints errors.
  connection.on('error', () => undefined);
  return connection;
}

/** Several hosts without Sentinels are a Redis Cluster. */
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
  /** When a connection breaks, its running commands fail. They are not sent again, because they may have been executed. */
  autoResendUnfulfilledCommands: false,
  /** The library ignores failed subscriptions. Callers subscribe again after a reconnect. */
  autoResubscribe: false,
  maxRetriesPerRequest: 0,
  retryStrategy,
  /** Reconnects when the primary has become a replica: the host name may now resolve to the new primary. */
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
    // The library resends only commands that a node refused because the slot is on another node.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 0,
    redisOptions,
  };
}
