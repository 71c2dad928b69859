// Properties of a Redis server from INFO: managed services allow INFO even if they forbid CONFIG.

export interface RedisFacts {
  readonly name: 'Redis' | 'Valkey';
  readonly version: string;
  readonly isClusterNode: boolean;
  /** `host:port` of the primary; undefined unless this server is a replica. */
  readonly replicaOf: string | undefined;
  readonly evictionPolicy: string;
  readonly appendsToFile: boolean;
}

export function readFacts(info: string): RedisFacts {
  const lines = info.split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)] as const] : [];
  });
  const of = new Map(lines);
  return {
    name: of.has('valkey_version') ? 'Valkey' : 'Redis',
    version: of.get('valkey_version') ?? of.get('redis_version') ?? '',
    isClusterNode: of.get('redis_mode') === 'cluster' || of.get('server_mode') === 'cluster',
    replicaOf: of.get('role') === 'slave' ? `${of.get('master_host')}:${of.get('master_port')}` : undefined,
    evictionPolicy: of.get('maxmemory_policy') ?? 'noeviction',
    appendsToFile: of.get('aof_enabled') === '1',
  };
}
