// A load balancer of Debian with the product's generated configuration on other ports.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evidence } from './evidence.ts';
import { freePort } from './free-port.ts';

export type BalancerName = 'nginx' | 'haproxy' | 'caddy';

const balancerPaths: Readonly<Record<BalancerName, string>> = {
  nginx: '/usr/sbin/nginx',
  haproxy: '/usr/sbin/haproxy',
  caddy: '/usr/bin/caddy',
};
const argumentsOf: Readonly<Record<BalancerName, (file: string, folder: string) => string[]>> = {
  nginx: (file, folder) => ['-e', 'stderr', '-g', `daemon off; pid ${folder}/pid; error_log stderr;`, '-c', file],
  haproxy: (file) => ['-db', '-f', file],
  caddy: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
};

/** The reason why this machine cannot run the load balancer; undefined when it can. */
export function missingBalancer(name: BalancerName): string | undefined {
  const needed = [balancerPaths[name], ...(name === 'nginx' ? ['/usr/lib/nginx/modules/ngx_stream_module.so'] : [])];
  const missing = needed.find((path) => !existsSync(path));
  return missing && `no ${missing}`;
}

export interface RunningBalancer {
  readonly http: number;
  readonly rtmp: number;
  readonly rtsp: number;
  readonly srt: number;
  close(): Promise<void>;
}

/** @param text configuration as the product generates it. Only ports are replaced, and Caddy's administration interface is switched off. */
export async function startBalancer(name: BalancerName, text: string): Promise<RunningBalancer> {
  const folder = await mkdtemp(join(tmpdir(), 'srs-balancer-'));
  const [http, rtmp, rtsp, srt] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const ports = { http, rtmp, rtsp, srt };
  const file = join(folder, name);
  await writeFile(file, withPorts(name, text, ports));
  const env = { PATH: process.env.PATH, HOME: folder };
  const child = spawn(balancerPaths[name], argumentsOf[name](file, folder), { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const forget = evidence.add({ name: `${name}.log`, content: () => output });
  const closed = once(child, 'close');
  return {
    ...ports,
    close: async () => {
      // After their signals for a graceful stop, HAProxy and nginx would wait until all connections have ended.
      child.kill(name === 'nginx' ? 'SIGTERM' : 'SIGKILL');
      await closed;
      forget();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function withPorts(
  name: BalancerName,
  text: string,
  { http, rtmp, rtsp, srt }: Record<'http' | 'rtmp' | 'rtsp' | 'srt', number>,
): string {
  if (name === 'haproxy') {
    return text
      .replace('bind :8554', `bind :${rtsp}`)
      .replace('bind :80', `bind :${http}`)
      .replace('bind :1935', `bind :${rtmp}`);
  }
  // Switches off the administration interface of Caddy, which listens on a fixed port.
  if (name === 'caddy') return `{\n\tadmin off\n}\n${text.replace(/^:80/m, `:${http}`)}`;
  return text
    .replace('listen 80;', `listen ${http};`)
    .replace('listen 443 ssl', `listen ${http} ssl`)
    .replace('listen [::]:80;', `listen [::]:${http};`)
    .replace('listen 1935;', `listen ${rtmp};`)
    .replace('listen 8554;', `listen ${rtsp};`)
    .replace('listen 10080 udp', `listen ${srt} udp`);
}
