// The Dockerfile, built and run without Docker: Debian's buildah and podman, on a base that debootstrap makes and that gets the
// name of the one the file asks for. Everything is kept in a folder of its own, images too.
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { endpoints } from '@srs-stack/contract';
import type { BoundPorts } from '@srs-stack/contract/wire/bound-ports.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUp } from './support/api.ts';
import { publishTestSource, stopAllFfmpeg } from './support/ffmpeg.ts';
import { decodeErrors } from './support/ffprobe.ts';
import { recordSeconds } from './support/recording.ts';
import { until } from './support/until.ts';

const checkout = fileURLToPath(new URL('..', import.meta.url));
const base = 'docker.io/library/debian:12-slim';
/** Debian twice, npm and the packages of the product, from the network. */
const buildTimeoutMs = 1_800_000;
/** What the programs say of a build, characters. */
const maxOutputLength = 32 * 1024 ** 2;

/**
 * A network may have an authority of its own for the registries, which the machine trusts and a fresh Debian does not: the
 * build gets what the machine trusts. It also gets npm's cache, which saves minutes of loading.
 */
const machineAuthorities = '/etc/ssl/certs/ca-certificates.crt';
const authorities = existsSync(machineAuthorities)
  ? ['--volume', `${machineAuthorities}:/authorities.crt:ro`, '--env', 'NODE_EXTRA_CA_CERTS=/authorities.crt']
  : [];
const npmCache = () => {
  const path = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  mkdirSync(path, { recursive: true });
  return [
    '--volume',
    `${path}:/npm-cache`,
    '--env',
    'npm_config_cache=/npm-cache',
    '--env',
    'npm_config_prefer_offline=true',
  ];
};

/** Why this machine cannot; undefined when it can. */
function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root';
  for (const program of ['debootstrap', 'buildah', 'podman']) {
    if (spawnSync(program, ['--version']).error) return `needs ${program}`;
  }
  // The right to mount and to have namespaces, which containers are made of.
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0 ? undefined : 'needs namespaces';
}

const obstacle = findObstacle();

describe.skipIf(obstacle)(obstacle ? `the image (skipped: ${obstacle})` : 'the image', () => {
  let folder: string;
  let data: string;
  let container: string;
  const store = () => ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')];
  const podman = (...args: string[]) => execFileSync('podman', [...store(), ...args], { encoding: 'utf8' }).trim();

  beforeAll(async () => {
    // Not the temporary folder, which may be in memory: images are large.
    folder = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'srs-stack-container-'));
    data = join(folder, 'data');
    mkdirSync(data);
    const run = (program: string, ...args: string[]) =>
      promisify(execFile)(program, args, { cwd: checkout, maxBuffer: maxOutputLength });
    const root = join(folder, 'debian');
    await run('debootstrap', '--variant=minbase', 'bookworm', root);
    await run('tar', '-C', root, '-cf', join(folder, 'debian.tar'), '.');
    podman('import', '--quiet', join(folder, 'debian.tar'), base);
    // On the network of the machine: the build needs package registries, and the tests the ports.
    const network = ['--network', 'host'];
    const build = [
      'build',
      '--isolation',
      'chroot',
      ...network,
      ...authorities,
      ...npmCache(),
      '--pull-never',
      '-t',
      'srs-stack',
      '-f',
      'deploy/Dockerfile',
      '.',
    ];
    await run('buildah', ...store(), ...build);
    const anyPort = ['MGMT', 'HTTPS', 'RTMP', 'SRT', 'RTC'].flatMap((name) => ['--env', `${name}_LISTEN=0`]);
    const options = ['--detach', '--pull', 'never', ...network, '--cgroups', 'disabled', '--volume', `${data}:/data`];
    container = podman('run', ...options, ...anyPort, '--env', 'SRS_API_LISTEN=127.0.0.1:0', 'localhost/srs-stack');
  }, buildTimeoutMs);

  afterAll(async () => {
    await stopAllFfmpeg();
    if (container) podman('rm', '--force', container);
    if (folder) podman('rmi', '--all', '--force');
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  test('serves the console, takes a publisher and lets viewers play', async () => {
    const ports = await until('the ports are known', () => {
      const file = join(data, 'run/ports.json');
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BoundPorts) : undefined;
    });
    const url = `http://127.0.0.1:${ports.http}`;
    await until('calls are answered', async () => (await fetch(`${url}/terraform/v1/host/versions`)).ok);
    const admin = await setUp({ url }, 'a long first password');
    expect((await admin.call(endpoints.status, {})).version).toMatch(/^v\d/);
    expect(await (await fetch(`${url}/mgmt`)).text()).toContain('<div id="root"');
    publishTestSource(`rtmp://127.0.0.1:${ports.rtmp}/live/livestream?${admin.publishQuery}`, { video: {}, audio: {} });
    const address = `${url}/live/livestream.flv`;
    await until('the stream plays', async () => (await fetch(address, { method: 'HEAD' })).ok);
    const { file } = await recordSeconds(address, folder, 2);
    expect(await decodeErrors(file)).toBe('');
  });

  test('ends cleanly when the container is stopped', () => {
    podman('stop', '--time', '10', container);
    expect(podman('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
    expect(existsSync(join(data, 'run/supervisor.pid'))).toBe(false);
  });
});
