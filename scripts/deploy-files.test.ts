// Checks that the files of `deploy/` agree with each other and with the product.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

const dockerfile = read('deploy/Dockerfile');
const instruction = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(dockerfile)?.[1] ?? '';
const exposed = instruction('EXPOSE').split(' ').sort();
const compose = parse(read('deploy/compose.yaml')) as {
  services: Record<string, { build: { context: string; dockerfile: string }; ports: string[]; volumes: string[] }>;
  volumes: Record<string, unknown>;
};
const service = compose.services['srs-stack']!;

test('the image exposes exactly the public ports of the configuration', () => {
  const table = [...read('docs/reference/configuration.md').matchAll(/^\| (\d+)\/(tcp|udp) \|/gm)];
  const ports = table.map(([, port, protocol]) => (protocol === 'udp' ? `${port}/udp` : port));
  expect(exposed).toEqual(ports.sort());
});

test.each([
  ['the compose file', service.ports],
  ['the command of the guide', [...read('deploy/README.md').matchAll(/-p (\S+)/g)].map(([, mapping]) => mapping!)],
])('%s publishes the ports that the image exposes', (_name, mappings) => {
  expect(mappings.map((mapping) => mapping.split(':')[1]).sort()).toEqual(exposed);
});

test('the compose file builds this Dockerfile and keeps the data folder in a volume', () => {
  expect(join(checkout, 'deploy', service.build.context, service.build.dockerfile)).toBe(
    join(checkout, 'deploy/Dockerfile'),
  );
  const [volume, path] = service.volumes[0]!.split(':');
  expect(path).toBe(instruction('VOLUME'));
  expect(Object.keys(compose.volumes)).toEqual([volume]);
  expect(instruction('ENV')).toContain(`DATA_DIR=${path}`);
});

test('the image and the systemd unit start the command of the package', () => {
  expect(instruction('CMD')).toBe('["/product/bin/node", "/product/bin/srs-stack"]');
  expect(dockerfile).toContain('npm install --global --prefix /product ');
  expect(read('deploy/srs-stack.service')).toMatch(/^ExecStart=\/opt\/srs-stack\/bin\/srs-stack$/m);
  expect(read('deploy/README.md')).toContain('npm install --global --prefix /opt/srs-stack ');
});
