// Detects whether a port has a listener: connects to TCP ports, looks up UDP ports in /proc.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 30;

export interface PortList {
  readonly tcp: readonly number[];
  readonly udp: readonly number[];
}

function isTcpOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

function isUdpOpen(port: number): boolean {
  const ending = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return ['/proc/net/udp', '/proc/net/udp6'].some((file) =>
    readFileSync(file, 'latin1')
      .split('\n')
      .some((line) => line.trim().split(/\s+/)[1]?.endsWith(ending)),
  );
}

async function openOnes({ tcp, udp }: PortList): Promise<number[]> {
  const open = await Promise.all(tcp.map(isTcpOpen));
  return [...tcp.filter((_, index) => open[index]), ...udp.filter(isUdpOpen)];
}

/** Resolves when all ports are open (or free). @throws after `timeoutMs`. */
export async function untilPorts(ports: PortList, wanted: 'open' | 'free', timeoutMs: number): Promise<void> {
  const all = ports.tcp.length + ports.udp.length;
  for (const deadline = Date.now() + timeoutMs; ; await delay(pollMs)) {
    const open = await openOnes(ports);
    if (open.length === (wanted === 'open' ? all : 0)) return;
    if (Date.now() > deadline) {
      const which = wanted === 'open' ? `only ${open.join(', ') || 'none'} open` : `still in use: ${open.join(', ')}`;
      throw new Error(`ports ${[...ports.tcp, ...ports.udp].join(', ')}: ${which}`);
    }
  }
}
