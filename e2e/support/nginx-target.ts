// nginx as an external server: its RTMP module accepts streams, and its stream module adds TLS.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evidence } from './evidence.ts';
import { freePort } from './free-port.ts';
import type { CertificateFiles } from './test-authority.ts';
import { until } from './until.ts';

const program = '/usr/sbin/nginx';
const modules = '/usr/lib/nginx/modules';

/** The reason why this machine cannot run nginx with RTMP; undefined when it can. */
export function missingNginxRtmp(): string | undefined {
  const needed = [program, `${modules}/ngx_rtmp_module.so`, `${modules}/ngx_stream_module.so`];
  const missing = needed.find((path) => !existsSync(path));
  return missing && `no ${missing}`;
}

export interface NginxTarget {
  readonly rtmp: string;
  /** `rtmps://localhost:port/live`, one address per certificate. */
  readonly rtmps: readonly string[];
  close(): Promise<void>;
}

export async function startNginxTarget(certificates: readonly CertificateFiles[]): Promise<NginxTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'srs-nginx-target-'));
  const rtmp = await freePort();
  const secure = await Promise.all(certificates.map(async (files) => ({ ...files, port: await freePort() })));
  const tlsServers = secure.map(
    ({ port, certificate, key }) => `server {
    listen 127.0.0.1:${port} ssl;
    ssl_certificate ${certificate};
    ssl_certificate_key ${key};
    proxy_pass 127.0.0.1:${rtmp};
  }`,
  );
  const file = join(folder, 'nginx.conf');
  await writeFile(
    file,
    `load_module ${modules}/ngx_rtmp_module.so;
load_module ${modules}/ngx_stream_module.so;
events {}
rtmp {
  access_log off;
  server {
    listen 127.0.0.1:${rtmp};
    application live { live on; }
  }
}
stream {
  ${tlsServers.join('\n  ')}
}
`,
  );
  const args = ['-e', 'stderr', '-g', `daemon off; pid ${folder}/pid; error_log stderr;`, '-p', folder, '-c', file];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const forget = evidence.add({ name: 'nginx-target.log', content: () => output });
  const closed = once(child, 'close');
  await until(`nginx listens: ${output}`, () => isListening(rtmp));
  return {
    rtmp: `rtmp://localhost:${rtmp}/live`,
    rtmps: secure.map(({ port }) => `rtmps://localhost:${port}/live`),
    close: async () => {
      child.kill('SIGTERM');
      await closed;
      forget();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
