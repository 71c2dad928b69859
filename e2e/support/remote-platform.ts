// An external streaming server (node-media-server) in a separate process, which is the target of forwards.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

const program = `
const NodeMediaServer = require('node-media-server');
const [rtmp, http, path] = process.argv.slice(1);
new NodeMediaServer({
  bind: '127.0.0.1', store: { path }, auth: { play: false, publish: false },
  rtmp: { port: Number(rtmp) }, http: { port: Number(http) }, record: { auto: false }, webadmin: { enable: false },
}).run();`;

export interface RemotePlatform {
  readonly server: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startRemotePlatform(): Promise<RemotePlatform> {
  const folder = mkdtempSync(join(tmpdir(), 'srs-stack-remote-'));
  const [rtmp, http] = [await freePort(), await freePort()];
  let child: ChildProcess | undefined;
  const start = async () => {
    const args = ['-e', program, String(rtmp), String(http), join(folder, 'store')];
    child = spawn(process.execPath, args, { stdio: 'ignore' });
    await until('the remote platform listens', () => isListening(rtmp));
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    server: `rtmp://127.0.0.1:${rtmp}/live/`,
    kill,
    start,
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A free port. The server cannot choose its port itself, because the port must stay after a kill. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
