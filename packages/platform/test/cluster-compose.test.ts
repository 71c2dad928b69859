// The compose file of three servers is consistent in addresses, ports and variables. Its HAProxy configuration equals the generated
// configuration for these servers.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseBackends } from '../src/settings/web-front/balancer-backends.ts';
import { balancerConfigurations } from '../src/settings/web-front/balancer-configs.ts';

interface Service {
  readonly environment: Readonly<Record<string, string | number>>;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly networks: { readonly default: { readonly ipv4_address: string } };
}

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8');
const compose = parse(read('deploy/compose.cluster.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: object;
};
const { redis, haproxy, ...nodes } = compose.services as Record<'redis' | 'haproxy' | `node-${number}`, Service>;
const addressOf = ({ networks }: Service) => networks.default.ipv4_address;
const servers = Object.entries<Service>(nodes);
const ports = { rtmpPort: 1935, rtspPort: 8554, srtPort: 10_080, rtcPort: 8_000 };

describe('the compose file of a cluster', () => {
  it('contains the HAProxy configuration that the product generates, and HAProxy accepts it', () => {
    const backends = parseBackends(
      servers.map(([, service]) => addressOf(service)),
      2022,
    );
    const made = balancerConfigurations({ backends, ...ports }).find(({ program }) => program === 'haproxy');
    expect(read('deploy/cluster/haproxy.cfg')).toBe(made?.text);
    const file = fileURLToPath(new URL('../../../deploy/cluster/haproxy.cfg', import.meta.url));
    execFileSync('/usr/sbin/haproxy', ['-c', '-f', file], { stdio: 'pipe' });
  });

  it('lists every server once, trusts only the balancer and uses the store', () => {
    expect(servers).toHaveLength(3);
    const addresses = [redis, haproxy, ...servers.map(([, service]) => service)].map(addressOf);
    expect(new Set(addresses).size).toBe(addresses.length);
    for (const [name, service] of servers) {
      const { environment, volumes } = service;
      expect(environment).toMatchObject({ NODE_NAME: name, CLUSTER_ADVERTISE: addressOf(service) });
      expect(environment.TRUST_PROXY).toBe(addressOf(haproxy));
      expect(environment.CLUSTER_URL).toContain(`@${addressOf(redis)}:6379`);
      expect(volumes).toEqual([`${name}:/data`]);
      expect(compose.volumes).toHaveProperty(name);
    }
  });

  it('opens the ports that the console shows, for SRT and for WebRTC answers', () => {
    const published = servers.flatMap(([, service]) => service.ports);
    expect(new Set(published.map((port) => port.split(':')[0])).size).toBe(published.length);
    for (const [, service] of servers) {
      const { SRT_PORT, RTC_LISTEN } = service.environment;
      expect(service.ports).toEqual([`${SRT_PORT}:10080/udp`, `${RTC_LISTEN}:${RTC_LISTEN}/udp`]);
    }
  });

  it('sets only documented variables', () => {
    const documented = read('docs/reference/configuration.md');
    for (const [, { environment }] of servers)
      for (const variable of Object.keys(environment)) expect(documented).toContain(`\`${variable}\``);
  });
});
