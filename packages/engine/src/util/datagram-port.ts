// A UDP port that sends several datagrams with one system call. Without the addon, each datagram needs a system call.
import type { Socket } from 'node:dgram';
import { addonProblem, DatagramSocket, type SendDatagrams } from '@srs-stack/rtc';
import type { ListenAddress } from '../engine-config.ts';
import { bindDatagrams } from './bind-datagrams.ts';

/** Kernel buffer for received packets, bytes: a tenth of a second of 100 publishers at 2 Mbps, with space for keyframes. */
const receiveBufferBytes = 4 * 1024 * 1024;

export interface DatagramPort {
  readonly socket: Socket;
  /** Without the addon, datagrams that cannot be sent are lost. With it, the caller passes unsent datagrams again (`SendDatagrams`). */
  sendTo(address: string, port: number): SendDatagrams;
  close(): void;
}

/** Rejects with the system error. */
export async function openDatagramPort({ host, port }: ListenAddress): Promise<DatagramPort> {
  if (addonProblem() === undefined) return inBatches(await DatagramSocket.open({ ...(host && { host }), port }));
  const isIpv6 = host === undefined || host.includes(':');
  const options = { type: isIpv6 ? 'udp6' : 'udp4', recvBufferSize: receiveBufferBytes } as const;
  const socket = await bindDatagrams(options, port, host);
  return { socket, sendTo: (address, to) => oneByOne(socket, address, to), close: () => socket.close() };
}

function inBatches(opened: DatagramSocket): DatagramPort {
  const { socket } = opened;
  return {
    socket,
    // Sends to link-local addresses through Node, because the addon does not resolve zones.
    sendTo: (address, port) => (address.includes('%') ? oneByOne(socket, address, port) : opened.sendTo(address, port)),
    close: () => opened.close(),
  };
}

function oneByOne(socket: Socket, address: string, port: number): SendDatagrams {
  const isMapped = socket.address().family === 'IPv6' && !address.includes(':');
  const to = isMapped ? `::ffff:${address}` : address;
  return (datagrams) => {
    for (const datagram of datagrams) socket.send(datagram, port, to, () => undefined);
    return datagrams.length;
  };
}
