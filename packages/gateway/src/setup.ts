// Prepares the start of a gateway: folders, identity, HLS settings, and certificates in a cluster.
import { join } from 'node:path';
import type { HlsConfig } from '@srs-stack/engine';
import { createClusterTls } from '@srs-stack/process/cluster/cluster-tls.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { loadNodeId } from '@srs-stack/process/node-id.ts';
import type { ServerIdentity } from './callbacks/callback-body.ts';
import { loadServerId, prepareFolders, randomName } from './data-folder.ts';
import type { GatewayEnv } from './env.ts';
import { createForwardedResolver, type ForwardedResolver } from './front/http/forwarded.ts';
import { type Deadlines, deadlines as defaultDeadlines } from './front/limits/front-limits.ts';
import { initialHlsConfig } from './hls-reload.ts';
import type { OwnNode } from './siblings/node-gateways.ts';
import { defaultHlsConfig } from './srs-config/hls-config.ts';

interface SetupParts {
  readonly env: GatewayEnv;
  readonly log: Logger;
  readonly deadlines?: Partial<Deadlines>;
}

export interface Setup {
  readonly env: GatewayEnv;
  readonly identity: ServerIdentity;
  readonly hlsFile: string;
  readonly hlsDefaults: HlsConfig;
  readonly hls: HlsConfig;
  readonly forwarded: ForwardedResolver;
  readonly deadlines: Deadlines;
  readonly ownNode: OwnNode | undefined;
}

export async function readSetup({ env, log, deadlines }: SetupParts): Promise<Setup> {
  const forwarded = createForwardedResolver(env.trustedProxies);
  await prepareFolders(env.dataDir, env.hlsPath);
  const identity = { serverId: await loadServerId(env.dataDir), serviceId: randomName(8) };
  const hlsFile = join(env.dataDir, 'config', 'srs.vhost.conf');
  const hlsDefaults = defaultHlsConfig(env.hlsPath);
  const hls = await initialHlsConfig(hlsFile, hlsDefaults, log);
  const all = { ...defaultDeadlines, ...deadlines };
  return { env, identity, hlsFile, hlsDefaults, hls, forwarded, deadlines: all, ownNode: await readOwnNode(env) };
}

async function readOwnNode({ cluster, dataDir }: GatewayEnv): Promise<OwnNode | undefined> {
  if (!cluster) return undefined;
  const { secret, name: clusterName, listen } = cluster;
  const nodeId = await loadNodeId(dataDir);
  return { tls: await createClusterTls({ secret, clusterName, nodeId }), listen };
}
