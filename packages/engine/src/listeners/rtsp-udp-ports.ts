// The two UDP ports of RTSP, for RTP and RTCP, shared by all sessions. The source address of a packet determines its session.
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import type { SendDatagrams } from '@srs-stack/rtc';
import type { ListenAddress } from '../engine-config.ts';
import type { EngineLogger } from '../ports.ts';
import type { DatagramPeer, RtspDatagrams } from '../sessions/rtsp/rtsp-context.ts';
import { type DatagramPort, openDatagramPort } from '../util/datagram-port.ts';

export class RtspUdpPorts implements RtspDatagrams {
  readonly #log: EngineLogger;
  readonly #ports: { readonly rtp: DatagramPort; readonly rtcp: DatagramPort };
  /** Key: `kind address port`. */
  readonly #peers = new Map<string, DatagramPeer>();

  private constructor(ports: { rtp: DatagramPort; rtcp: DatagramPort }, log: EngineLogger) {
    this.#ports = ports;
    this.#log = log;
    for (const kind of ['rtp', 'rtcp'] as const) {
      const { socket } = ports[kind];
      socket.on('message', (datagram, { address, port }) => {
        this.#peers.get(`${kind} ${plainAddress(address)} ${port}`)?.onDatagram(kind, datagram);
      });
      socket.on('error', (error) => this.#log.debug({ err: error }, 'RTSP UDP socket failed'));
    }
  }

  /** Binds the given port and the next port, or two free ports if the port is 0. Rejects with the system error. */
  static async open(address: ListenAddress, log: EngineLogger): Promise<RtspUdpPorts> {
    const rtp = await openDatagramPort(address);
    try {
      const rtcpPort = address.port === 0 ? 0 : address.port + 1;
      return new RtspUdpPorts({ rtp, rtcp: await openDatagramPort({ ...address, port: rtcpPort }) }, log);
    } catch (error) {
      rtp.close();
      throw error;
    }
  }

  get rtpPort(): number {
    return this.#ports.rtp.socket.address().port;
  }

  get rtcpPort(): number {
    return this.#ports.rtcp.socket.address().port;
  }

  sendTo(kind: 'rtp' | 'rtcp', address: string, port: number): SendDatagrams {
    return this.#ports[kind].sendTo(address, port);
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
    this.#ports.rtp.close();
    this.#ports.rtcp.close();
  }
}
