// The process of the control plane: starts on a socket, responds, stops in time. A failed start prints one error message.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { preload } from '../../../scripts/test-run/product-preload.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const children: ChildProcess[] = [];
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'srs-main-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

function start(variables: Record<string, string> = {}, args: string[] = []) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...preload, DATA_DIR: dataDir, SRS_API_LISTEN: '127.0.0.1:1', ...variables };
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  const ended = new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { address: string }).address));
    ended.then((end) => reject(new Error(end.stderr)), reject);
  });
  ready.catch(() => undefined);
  return { child, ended, ready };
}

function post(socketPath: string, path: string, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, method: 'POST' }, (response) => {
      let text = '';
      response.on('data', (data) => {
        text += data;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    call.on('error', reject);
    call.end(body);
  });
}

describe('the platform process', () => {
  it('responds on its socket, which only the owner may use, and stops cleanly', async () => {
    const { child, ready, ended } = start();
    const address = await ready;
    expect(address).toBe(join(dataDir, 'run', 'platform.sock'));
    expect((await stat(address)).mode & 0o777).toBe(0o600);
    expect((await post(address, '/terraform/v1/mgmt/init', '{"password":"hidden-password"}')).status).toBe(200);
    expect((await post(address, '/terraform/v1/mgmt/login', '{"password":"wrong-guess"}')).status).toBe(401);
    expect((await post(address, '/terraform/v1/mgmt/status?token=query-token', '{"token":"body-token"}')).status).toBe(
      401,
    );
    child.kill('SIGTERM');
    const { status, stdout } = await ended;
    expect(status).toBe(0);
    expect(stdout).toContain('login failed');
    for (const secret of ['hidden-password', 'wrong-guess', 'query-token', 'body-token'])
      expect(stdout).not.toContain(secret);
  });

  it('stops although a client has sent half a request', async () => {
    const { child, ready, ended } = start();
    const call = request({ socketPath: await ready, path: '/terraform/v1/mgmt/login', method: 'POST' });
    const cut = new Promise((resolve) => call.once('error', resolve));
    call.write('{"password":');
    // A response on a second connection proves that the first connection has been accepted.
    await post(await ready, '/terraform/v1/mgmt/check', '');
    child.kill('SIGTERM');
    expect((await ended).status).toBe(0);
    await cut;
  });

  it('takes over the socket and the store of a killed one', async () => {
    const first = start();
    const address = await first.ready;
    first.child.kill('SIGKILL');
    await first.ended;
    const second = start();
    expect(await second.ready).toBe(address);
    expect((await post(address, '/terraform/v1/mgmt/check', '')).status).toBe(200);
  });

  it('uses a short socket path for a long data folder', async () => {
    dataDir = join(dataDir, 'x'.repeat(90));
    const { ready } = start();
    expect(await ready).toMatch(/srs-stack-[0-9a-f]{16}\.sock$/);
  });

  it('listens on a loopback port too', async () => {
    const { ready } = start({ PLATFORM_LISTEN: '127.0.0.1:0' });
    const address = await ready;
    expect((await fetch(`${address}/terraform/v1/host/versions`)).status).toBe(200);
  });

  it('prints its version', async () => {
    const { ended } = start({}, ['-v']);
    expect(await ended).toMatchObject({ status: 0, stdout: '0.1.0\n' });
  });
});

describe('a start that cannot continue', () => {
  const errorMessage = async (variables: Record<string, string>) => {
    const { status, stderr } = await start(variables).ended;
    expect(status).toBe(1);
    expect(stderr).toMatch(/^srs-stack platform: [^\n]+\n$/);
    expect(stderr).not.toMatch(/ {4}at /);
    return stderr;
  };

  it('names the invalid variable', async () => {
    expect(await errorMessage({ PLATFORM_LISTEN: '0.0.0.0:2024' })).toContain('PLATFORM_LISTEN="0.0.0.0:2024"');
    expect(await errorMessage({ SRS_API_LISTEN: 'x:y' })).toContain(
      'SRS_API_LISTEN must be a port or host:port, not "x:y"',
    );
    expect(await errorMessage({ LOG_LEVEL: 'loud' })).toContain('LOG_LEVEL="loud"');
    expect(await errorMessage({ SRS_VLIVE_LIMIT: '-1' })).toContain('SRS_VLIVE_LIMIT');
  });

  it('names the path that is not a folder', async () => {
    await writeFile(join(dataDir, 'file'), '');
    expect(await errorMessage({ DATA_DIR: join(dataDir, 'file') })).toContain('DATA_DIR');
  });

  it('names the socket path that is another file', async () => {
    await mkdir(join(dataDir, 'run'));
    await writeFile(join(dataDir, 'run', 'platform.sock'), 'x');
    expect(await errorMessage({})).toContain('is a file but not a socket');
  });

  it('reports that another process uses the same folder', async () => {
    const { ready } = start();
    await ready;
    expect(await errorMessage({})).toContain('in use by another process');
  });
});
