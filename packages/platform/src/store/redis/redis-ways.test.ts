// The ways to a Redis that CLUSTER_URL can name beside a plain one: TLS, Sentinels, one node of a Redis Cluster. And none at all:
// without CLUSTER_URL nothing of the client library is loaded.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createCertificateAuthority } from '../../testing/certificates.ts';
import { startRedisCluster } from '../../testing/redis-cluster.ts';
import { freePort, hasRedis, startRedis, testClusterSecret } from '../../testing/redis-server.ts';
import type { DocumentType } from '../store.ts';
import { parseClusterAddress } from './cluster-address.ts';
import { openRedisStore } from './open-redis-store.ts';

const log = pino({ level: 'silent' });
const type: DocumentType<number> = { key: 'n', schema: z.number(), empty: 0 };
const open = async (url: string) => {
  const settings = { address: parseClusterAddress(url), name: 'test', secret: testClusterSecret };
  return (await openRedisStore(settings, { now: new Date(), log, knownId: undefined, knownIdFile: '', waitMs: 5_000 })).store;
};
