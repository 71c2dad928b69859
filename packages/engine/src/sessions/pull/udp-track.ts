// One track that a source sends over UDP: binds a pair of ports, accepts only packets of the source, and sends receiver reports.
import { randomInt } from 'node:crypto';
import type { Socket } from 'node:dgram';
import { ProtocolError } from '@srs-stack/media/protocol-error.ts';
import { parseRtcp, writeReceiverTime } from '@srs-stack/media/protocols/rtp/rtcp.ts';
import { parseRtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { RtpReception } from '@srs-stack/media/protocols/rtp/rtp-reception.ts';
import type { UdpPorts } from '@srs-stack/media/protocols/rtsp/rtsp-pull-client.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { bindDatagrams } from '../../util/bind-datagrams.ts';

/** Size of the kernel buffer of one track, bytes: one second of video at 8 Mbps. */
const receiveBufferBytes = 1024 * 1024;
/** Interval of receiver reports, milliseconds (RFC 3550 §6.2). */
const reportMs = 5_000;
/** Maximum number of attempts to bind an even port for RTP and the next port for RTCP (RFC 3550 §11). The system may select an odd port. */
const maxPairs = 20;

export interface UdpTrackOptions {
  /** Address of the source on the RTSP connection. Datagrams from other addresses are dropped. */
  readonly address: string;
  readonly clockRate: number;
  readonly onPacket: (isRtcp: boolean, datagram: Buffer) => void;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class UdpTrack {
  readonly ports: UdpPorts;
  readonly #rtp: Socket;
  readonly #rtcp: Socket;
  readonly #options: UdpTrackOptions;
  readonly #address: string;
  readonly #reception: RtpReception;
  readonly #ssrc = randomInt(1, 2 ** 32);
  /** Port from which the source sends RTP, known after the first packet. */
  #sourcePort: number | undefined;
  #reportPort: number | undefined;
  #reportedAtMs: number | undefined;
  #isClosed = false;

  private constructor(rtp: Socket, rtcp: Socket, options: UdpTrackOptions) {
    this.#rtp = rtp;
    this.#rtcp = rtcp;
    this.#options = options;
    this.#address = plainAddress(options.address);
    this.#reception = new RtpReception(options.clockRate);
    this.ports = { rtp: rtp.address().port, rtcp: rtcp.address().port };
    rtp.on('message', (datagram, { address, port }) => this.#takeRtp(datagram, address, port));
    rtcp.on('message', (datagram, { address }) => this.#takeRtcp(datagram, address));
    // ICMP errors of a disconnected source are ignored, because the time limits of the pull detect the disconnect.
    for (const socket of [rtp, rtcp]) socket.on('error', () => undefined);
  }

  /** Binds a pair of ports for the address family of the source. Rejects with the system error. */
  static async open(options: UdpTrackOptions): Promise<UdpTrack> {
    const type = plainAddress(options.address).includes(':') ? 'udp6' : 'udp4';
    const bind = (port: number) => bindDatagrams({ type, recvBufferSize: receiveBufferBytes }, port);
    let failure: unknown;
    for (let pair = 0; pair < maxPairs; pair++) {
      const rtp = await bind(0);
      const { port } = rtp.address();
      const rtcp = port % 2 === 0 && (await bind(port + 1).catch(keep));
      if (rtcp) return new UdpTrack(rtp, rtcp, options);
      rtp.close();
    }
    throw failure ?? new Error('no pair of UDP ports for RTP and RTCP is free');
    function keep(error: unknown): undefined {
      failure = error;
      return undefined;
    }
  }

  sendReportsTo(ports: UdpPorts | undefined): void {
    this.#reportPort = ports?.rtcp;
  }

  tick(now: number): void {
    if (this.#isClosed || this.#reportPort === undefined) return;
    this.#reportedAtMs ??= now;
    if (now - this.#reportedAtMs < reportMs) return;
    this.#reportedAtMs = now;
    const report = this.#reception.report(now);
    const bytes = writeReceiverTime(this.#ssrc, now, report ? [report] : []);
    this.#rtcp.send(bytes, this.#reportPort, this.#options.address, () => undefined);
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#rtp.close();
    this.#rtcp.close();
  }

  #takeRtp(datagram: Buffer, address: string, port: number): void {
    if (this.#isClosed || plainAddress(address) !== this.#address) return;
    if (port !== (this.#sourcePort ?? port)) return;
    try {
      this.#reception.take(parseRtpPacket(datagram), this.#options.clock());
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return;
    }
    this.#sourcePort = port;
    this.#options.onPacket(false, datagram);
  }

  #takeRtcp(datagram: Buffer, address: string): void {
    if (this.#isClosed || plainAddress(address) !== this.#address) return;
    const now = this.#options.clock();
    for (const item of parseRtcp(datagram)) {
      if (item.kind === 'sender-report') this.#reception.takeSenderReport(item.ssrc, item.compactNtp, now);
    }
    this.#options.onPacket(true, datagram);
  }
}
