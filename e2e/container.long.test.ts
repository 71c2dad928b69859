// Builds and runs the Dockerfile without Docker, and without an OCI runtime, which some machines cannot run.
// debootstrap creates a base image with the name that the Dockerfile expects. buildah builds the image on this base image.
// All images are in a separate folder.
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
const image = 'srs-stack';
/** Timeout of the build, milliseconds. The build downloads Debian twice, npm, and the packages of the product. */
const buildTimeoutMs = 1_800_000;
/** Size of two Debian images with the build dependencies, bytes. The images are kept in memory if twice as much memory is free. */
const imagesBytes = 7 * 1024 ** 3;
/** Maximum output of a build, characters. */
const maxOutputLength = 32 * 1024 ** 2;

const machineAuthorities = '/etc/ssl/certs/ca-certificates.crt';
/**
 * Gives npm in the build the certificates and the npm cache of this machine, as an npm configuration file. A network
 * may have its own certificate authority for package registries, which a new Debian does not trust. The cache saves
 * minutes. A file is used instead of environment variables, because `--layers=false` would keep the variables in the image.
 */
function npmOfMachine(folder: string): string[] {
  const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
  mkdirSync(cache, { recursive: true });
  const hasAuthorities = existsSync(machineAuthorities);
  const settings = join(folder, 'npmrc');
  const lines = ['cache=/npm-cache', 'prefer-offline=true', ...(hasAuthorities ? ['cafile=/authorities.crt'] : [])];
  writeFileSync(settings, `${lines.join('\n')}\n`);
  const volumes = [`${cache}:/npm-cache`, `${settings}:/root/.npmrc:ro`];
  if (hasAuthorities) volumes.push(`${machineAuthorities}:/authorities.crt:ro`);
  return volumes.flatMap((volume) => ['--volume', volume]);
}

interface ImageFacts {
  readonly OCIv1: { readonly config: { readonly Cmd: readonly string[] } };
}

/** The reason why this machine cannot build the image; undefined when it can. */
function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root';
  for (const program of ['debootstrap', 'buildah']) {
    if (spawnSync(program, ['--version']).error) return `needs ${program}`;
  }
  // Containers need the permission to mount and to create namespaces.
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0 ? undefined : 'needs namespaces';
}

const obstacle = findObstacle();

describe.skipIf(obstacle)(obstacle ? `the image (skipped: ${obstacle})` : 'the image', () => {
  let folder: string;
  let isInMemory = false;
  let container: ChildProcess;
  let ports: BoundPorts;
  const store = () => ['--root', join(folder, 'images'), '--runroot', join(folder, 'run')];
  const run = async (program: string, ...args: string[]) =>
    (await promisify(execFile)(program, args, { cwd: checkout, maxBuffer: maxOutputLength })).stdout.trim();
  const buildah = (command: string, ...args: string[]) => run('buildah', ...store(), command, ...args);
  /** Uses the network of the machine: the build downloads packages, and the tests connect to the ports. */
  const host = ['--isolation', 'chroot', '--network', 'host'];

  async function makeBase(): Promise<void> {
    const empty = await buildah('from', 'scratch');
    const root = await buildah('mount', empty);
    await run('debootstrap', '--variant=minbase', 'bookworm', root);
    // As in the published Debian image, dpkg does not flush to the disk. An interrupted build starts again, so no data is lost.
    mkdirSync(join(root, 'etc/dpkg/dpkg.cfg.d'), { recursive: true });
    writeFileSync(join(root, 'etc/dpkg/dpkg.cfg.d/docker-apt-speedup'), 'force-unsafe-io\n');
    await buildah('umount', empty);
    await buildah('commit', '--rm', empty, base);
  }

  async function runImage(): Promise<void> {
    const { OCIv1 } = JSON.parse(await buildah('inspect', '--type', 'image', image)) as ImageFacts;
    const anyPort = ['MGMT', 'HTTPS', 'RTMP', 'SRT', 'RTC'].flatMap((name) => ['--env', `${name}_LISTEN=0`]);
    const options = [...host, ...anyPort, '--env', 'SRS_API_LISTEN=127.0.0.1:0'];
    const name = await buildah('from', '--pull-never', image);
    const args = [...store(), 'run', ...options, name, '--', ...OCIv1.config.Cmd];
    container = spawn('buildah', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    ports = await readyPorts(container);
  }

  beforeAll(async () => {
    // The temporary folder may be in memory and too small for images.
    folder = mkdtempSync(join(existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), 'srs-stack-container-'));
    isInMemory = freemem() > 2 * imagesBytes;
    if (isInMemory) await run('mount', '-t', 'tmpfs', '-o', `size=${imagesBytes}`, 'tmpfs', folder);
    await makeBase();
    // Layers would only speed up later builds. Writing and reading layers takes more time than half of the build steps.
    const once = ['--layers=false', ...npmOfMachine(folder)];
    await buildah('build', ...host, ...once, '--pull-never', '-t', image, '-f', 'deploy/Dockerfile', '.');
    await runImage();
  }, buildTimeoutMs);

  afterAll(async () => {
    await stopAllFfmpeg();
    if (container?.exitCode === null) process.kill(supervisorOf(ports), 'SIGKILL');
    if (!folder) return;
    await buildah('rm', '--all');
    await buildah('rmi', '--all', '--force');
    if (isInMemory) await run('umount', folder);
    rmSync(folder, { recursive: true, force: true });
  }, buildTimeoutMs);

  test('serves the console, accepts a publisher and plays to viewers', async () => {
    const url = `http://127.0.0.1:${ports.http}`;
    const admin = await setUp({ url }, 'a long first password');
    expect((await admin.call(endpoints.status, {})).version).toMatch(/^v\d/);
    expect(await (await fetch(`${url}/mgmt`)).text()).toContain('<div id="root"');
    publishTestSource(`rtmp://127.0.0.1:${ports.rtmp}/live/livestream?${admin.publishQuery}`, { video: {}, audio: {} });
    const address = `${url}/live/livestream.flv`;
    await until('the stream plays', async () => (await fetch(address, { method: 'HEAD' })).ok);
    const { file } = await recordSeconds(address, folder, 2);
    expect(await decodeErrors(file)).toBe('');
  });

  test('ends cleanly when it is stopped', async () => {
    const ended = once(container, 'close');
    process.kill(supervisorOf(ports), 'SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});

/** Waits for the log line that lists the ports when the product is ready. */
async function readyPorts(container: ChildProcess): Promise<BoundPorts> {
  for await (const line of createInterface(container.stdout!)) {
    const { msg, ports } = JSON.parse(line) as { msg: string; ports: BoundPorts };
    if (msg !== 'ready') continue;
    container.stdout!.resume();
    return ports;
  }
  throw new Error('the product ended before it was ready');
}

/** Process id of the supervisor, the parent of the gateway. The container uses the process ids of the machine. */
function supervisorOf({ pid }: BoundPorts): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]);
}
