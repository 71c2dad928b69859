// The backends of a load balancer, and the generated configurations, which operators copy.
import { AppError, type BalancerProgram, because, changed } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { NodeRegistry } from '../../nodes/node-registry.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { openSetting } from '../../store/setting.ts';
import type { DocumentType, Store } from '../../store/store.ts';
import { parseBackends, standInServers } from './balancer-backends.ts';
import { balancerConfigurations } from './balancer-configs.ts';

const backendsDocument: DocumentType<string[]> = { key: 'backends', schema: z.array(z.string()), empty: [] };
const defaultPorts: Ports = { http: 2022, rtmp: 1935, rtsp: 8554, srt: 10_080, rtc: 8_000 };

export interface LoadBalancer {
  /** @param origin default backend. */
  query(origin: string): Promise<{
    backends: string[];
    configurations: { program: BalancerProgram; fileName: string; text: string }[];
    revision: string;
  }>;
  /** Throws `backendInvalid` or `settingsChanged`. */
  change(backends: readonly string[], revision: string | undefined, actor: Actor): Promise<void>;
}

export interface LoadBalancerDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly nodes: Pick<NodeRegistry, 'list'>;
  /** Ports of this server; other servers are assumed to use equal ports. */
  readonly boundPorts: () => Promise<Ports | undefined>;
}

type Ports = Pick<BoundPorts, 'http' | 'rtmp' | 'rtsp' | 'srt' | 'rtc'>;

export async function openLoadBalancer({ store, audit, nodes, boundPorts }: LoadBalancerDeps): Promise<LoadBalancer> {
  const setting = await openSetting({ store, audit, type: backendsDocument });
  return {
    async query(origin) {
      const ports = (await boundPorts()) ?? defaultPorts;
      const entered = setting.current();
      const backends = readBackends(entered.length > 0 ? entered : standInServers(nodes.list(), origin), ports.http);
      return {
        backends: [...entered],
        configurations: balancerConfigurations({
          backends,
          rtmpPort: ports.rtmp,
          rtspPort: ports.rtsp ?? null,
          srtPort: ports.srt,
          rtcPort: ports.rtc,
        }),
        revision: setting.revision(),
      };
    },
    async change(list, revision, actor) {
      const next = list.map((entry) => entry.trim());
      if (next.length === 0) throw new AppError('backendInvalid', because('backend.none'));
      parseBackends(next, defaultPorts.http);
      await setting.save(() => next, {
        revision,
        actor,
        detail: changed('page.backends', { servers: next.join(', ').slice(0, 500) }),
      });
    },
  };
}

/** Parses the backends. The default comes from the Host header, which a client controls: an invalid value is replaced by loopback. */
function readBackends(entries: readonly string[], plainPort: number) {
  try {
    return parseBackends(entries, plainPort);
  } catch {
    return parseBackends(['127.0.0.1'], plainPort);
  }
}
