// The UDP ports of RTSP, one for RTP and one for RTCP, shared by all sessions: received packets are assigned by their source address.
import type { Socket } from 'node:dgram';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { ListenAddress } from '../engine-config.ts';
import type { EngineLogger } from '../ports.ts';
import type { DatagramPeer, RtspDatagrams } from '../sessions/rtsp/rtsp-context.ts';
import { bindDatagrams } from '../util/bind-datagrams.ts';

/** Kernel buffer for received packets, bytes: a tenth of a second of 100 publishers of 2 Mbps, with space for keyframes. */
const receiveBufferBytes = 4 * 1024 * 1024;

export class RtspUdpPorts implements RtspDatagrams {
  readonly #log: EngineLogger;
  readonly #sockets: { readonly rtp: Socket; readonly rtcp: Socket };
  /** By `kind address port`. */
  readonly #peers = new Map<string, DatagramPeer>();

  private constructor(sockets: { rtp: Socket; rtcp: Socket }, log: EngineLogger) {
    this.#sockets = sockets;
    this.#log = log;
    for (const kind of ['rtp', 'rtcp'] as const) {
      sockets[kind].on('message', (datagram, { address, port }) => {
        this.#peers.get(`${kind} ${plainAddress(address)} ${port}`)?.onDatagram(kind, datagram);
      });
      sockets[kind].on('error', (error) => this.#log.debug({ err: error }, 'RTSP datagram socket failed'));
    }
  }

  /** Binds the port and the next one. Rejects with the system error. */
  static async open(address: ListenAddress, log: EngineLogger): Promise<RtspUdpPorts> {
    const rtp = await bind(address);
    try {
      const rtcpPort = address.port === 0 ? 0 : address.port + 1;
      return new RtspUdpPorts({ rtp, rtcp: await bind({ ...address, port: rtcpPort }) }, log);
    } catch (error) {
      rtp.close();
      throw error;
    }
  }

  get rtpPort(): number {
    return this.#sockets.rtp.address().port;
  }

  get rtcpPort(): number {
    return this.#sockets.rtcp.address().port;
  }

  send(kind: 'rtp' | 'rtcp', datagram: Buffer, port: number, address: string): void {
    const socket = this.#sockets[kind];
    const isMapped = socket.address().family === 'IPv6' && !address.includes(':');
    // Datagrams that cannot be sent are lost.
    socket.send(datagram, port, isMapped ? `::ffff:${address}` : address, () => undefined);
  }

  claim(peer: DatagramPeer): (() => void) | undefined {
    const keys = [`rtp ${peer.address} ${peer.rtpPort}`, `rtcp ${peer.address} ${peer.rtcpPort}`];
    if (keys.some((key) => this.#peers.has(key))) return undefined;
    for (const key of keys) this.#peers.set(key, peer);
    return () => {
      for (const key of keys) if (this.#peers.get(key) === peer) this.#peers.delete(key);
    };
  }

  close(): void {
    this.#sockets.rtp.close();
    this.#sockets.rtcp.close();
  }
}

function bind({ host, port }: ListenAddress): Promise<Socket> {
  const isIpv6 = host === undefined || host.includes(':');
  return bindDatagrams({ type: isIpv6 ? 'udp6' : 'udp4', recvBufferSize: receiveBufferBytes }, port, host);
}
