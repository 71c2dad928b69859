// Connects to a given gateway among several that share a port.
// The kernel chooses the gateway, so the tool reconnects until the right gateway accepts.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Maximum number of attempts. With two gateways, half of all attempts reach the wrong gateway; 60 failures in a row do not occur. */
const mostAttempts = 60;
const acceptPollMs = 1;
const acceptTimeoutMs = 2_000;
const established = '01';

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** Inode of the server's socket of a loopback connection (proc(5), /proc/net/tcp); 0 until the server has accepted the connection. */
function serverInode(serverPort: number, clientPort: number): number {
  for (const line of readFileSync('/proc/net/tcp', 'latin1').split('\n')) {
    const [, local = '', remote = '', state, , , , , , inode] = line.trim().split(/\s+/);
    if (
      state === established &&
      local.endsWith(`:${hexPort(serverPort)}`) &&
      remote.endsWith(`:${hexPort(clientPort)}`)
    )
      return Number(inode);
  }
  return 0;
}

function holds(pid: number, inode: number): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
    } catch {
      return false; // closed meanwhile
    }
  });
}

async function open(port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  return socket;
}

async function isHeldBy(pid: number, socket: Socket): Promise<boolean> {
  const { remotePort = 0, localPort = 0 } = socket;
  for (const deadline = performance.now() + acceptTimeoutMs; performance.now() < deadline; await delay(acceptPollMs)) {
    const inode = serverInode(remotePort, localPort);
    if (inode !== 0) return holds(pid, inode);
  }
  return false;
}

/** Opens connections to 127.0.0.1:`port` until the process `pid` accepts one. Sends no data. @throws when all attempts failed. */
export async function connectToProcess(port: number, pid: number): Promise<Socket> {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const socket = await open(port);
    if (await isHeldBy(pid, socket)) return socket;
    socket.destroy();
  }
  throw new Error(`no connection to port ${port} reached process ${pid}`);
}
