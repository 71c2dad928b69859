// Receives MPEG-TS in datagrams, unicast or multicast, with or without RTP. Any host that reaches the port can send datagrams. Therefore
// only one sender at a time is accepted, and only from networks that the operator has configured.
import type { RemoteInfo, Socket } from 'node:dgram';
import type { RtpPacket } from '@srs-stack/media/protocols/rtp/rtp-packet.ts';
import { RtpReorderBuffer } from '@srs-stack/media/protocols/rtp/rtp-reorder-buffer.ts';
import type { TsAddress } from '@srs-stack/media/protocols/ts-udp/ts-address.ts';
import { parseTsDatagram } from '@srs-stack/media/protocols/ts-udp/ts-datagram.ts';
import { plainAddress } from '@srs-stack/process/ip-address.ts';
import { bindDatagrams } from '../../util/bind-datagrams.ts';
import { failureOfError } from '../../util/socket-failure.ts';
import type { PullFailure } from './pull-status.ts';
import { neverRejects, type TsTransport, type TsTransportEvents } from './ts-transport.ts';

/** Kernel buffer, bytes: a third of a second at 50 Mbps, for a busy event loop. The system may allow less. */
const receiveBufferBytes = 2 * 1024 * 1024;
/** After this silence, another sender may replace the current sender, milliseconds. A restarted encoder sends from another port. */
const senderSilenceMs = 2_000;
/** A gap in RTP holds later packets back for at most this time and number of packets. */
const reorderLimits = { maxWaitMs: 100, maxPackets: 512 } as const;

export interface UdpTransportOptions {
  readonly address: TsAddress;
  /** Networks that pulled sources may use. When undefined, datagrams are not accepted. */
  readonly isSourceNetwork: ((address: string) => boolean) | undefined;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

export class UdpTransport implements TsTransport {
  readonly type = 'udp-publish';
  readonly limits = { mediaMs: 15_000, stallMs: 10_000 };
  readonly isPaced = false;
  readonly #options: UdpTransportOptions;
  readonly #events: TsTransportEvents;
  #reorder = new RtpReorderBuffer(reorderLimits);
  /** Packets lost before the current RTP source. */
  #lostBefore = 0;
  #ssrc: number | undefined;
  #socket: Socket | undefined;
  /** Address and port; '' before the first datagram. */
  #sender = '';
  #senderAtMs = 0;
  #refused = '';
  #countedLosses = 0;
  #hasOtherData = false;
  #isClosed = false;

  constructor(options: UdpTransportOptions, events: TsTransportEvents) {
    this.#options = options;
    this.#events = events;
    this.#open().catch((error: unknown) => this.#fail(this.#failureOf(error)));
  }

  get lostPackets(): number {
    return this.#lostBefore + this.#reorder.lostPackets;
  }

  tick(now: number): void {
    this.#use(this.#reorder.tick(now));
  }

  silence(): PullFailure | undefined {
    if (this.#sender !== '') return undefined;
    if (this.#hasOtherData)
      return { reason: 'input-invalid', detail: 'the source sent no MPEG-TS', fault: 'not-mpegts' };
    if (this.#refused === '')
      return { reason: 'timeout', detail: 'the source sent no datagrams', fault: 'no-datagrams' };
    const detail = `datagrams from ${this.#refused} are not accepted`;
    return { reason: 'timeout', detail, fault: 'sender-refused', subject: this.#refused };
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
    this.#socket = undefined;
  }

  async #open(): Promise<void> {
    const { address, isSourceNetwork } = this.#options;
    // Waits, so that the caller receives the transport before `onFailed` is called.
    await Promise.resolve();
    if (!isSourceNetwork) {
      this.#fail({
        reason: 'address-refused',
        detail: 'UDP sources are disabled: SOURCE_NETWORKS is not set',
        fault: 'udp-off',
      });
      return;
    }
    const type = address.isIpv6 ? 'udp6' : 'udp4';
    // A socket bound to a multicast group receives no datagrams of other groups on the same port.
    const socket = await bindDatagrams({ type, recvBufferSize: receiveBufferBytes }, address.port, address.host);
    if (this.#isClosed) {
      socket.close();
      return;
    }
    this.#socket = socket;
    socket.on('message', (datagram, remote) => this.#take(datagram, remote));
    socket.on('error', (error) => this.#fail(failureOfError(error)));
    if (address.isMulticast) joinGroup(socket, address);
  }

  #take(datagram: Buffer, { address, port }: RemoteInfo): void {
    const sender = plainAddress(address);
    if (this.#isClosed || !this.#mayHear(sender)) return;
    const parsed = parseTsDatagram(datagram);
    if (!parsed) {
      this.#hasOtherData = true;
      return;
    }
    if (!this.#isAccepted(sender, port)) return;
    if (parsed.kind === 'plain') this.#events.onPayload(parsed.payload);
    else this.#takeRtp(parsed.packet);
  }

  #takeRtp(packet: RtpPacket): void {
    // A restarted encoder uses new sequence numbers, which must not be compared with the old numbers.
    if (this.#ssrc !== undefined && packet.ssrc !== this.#ssrc) {
      this.#beginSource();
      this.#events.onRestart();
    }
    this.#ssrc = packet.ssrc;
    this.#use(this.#reorder.push(packet, this.#options.clock()));
  }

  #beginSource(): void {
    this.#lostBefore = this.lostPackets;
    this.#reorder = new RtpReorderBuffer(reorderLimits);
    this.#ssrc = undefined;
  }

  /** Whether this sender is the accepted one. Another sender is accepted after a silence. */
  #isAccepted(address: string, port: number): boolean {
    const now = this.#options.clock();
    const sender = `${address} ${port}`;
    if (sender !== this.#sender) {
      if (this.#sender === '') this.#events.onConnected(address).catch(neverRejects);
      else if (now - this.#senderAtMs < senderSilenceMs) return false;
      else {
        this.#beginSource();
        this.#events.onRestart();
      }
      this.#sender = sender;
    }
    this.#senderAtMs = now;
    return true;
  }

  #mayHear(address: string): boolean {
    const { address: source, isSourceNetwork } = this.#options;
    const { senders } = source;
    const isWanted = (senders.length === 0 || senders.includes(address)) && isSourceNetwork?.(address) === true;
    if (!isWanted) this.#refused = address;
    return isWanted;
  }

  #use(ready: ReturnType<RtpReorderBuffer['push']>): void {
    for (const { packet, afterGap } of ready) {
      if (afterGap) {
        this.#events.onLoss(Math.max(1, this.lostPackets - this.#countedLosses));
        this.#countedLosses = this.lostPackets;
      }
      this.#events.onPayload(packet.payload);
    }
  }

  #failureOf(error: unknown): PullFailure {
    const { host, port } = this.#options.address;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      const detail = `UDP port ${port} is in use`;
      return { reason: 'failed', detail, fault: 'udp-port-taken', subject: String(port) };
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENODEV') {
      const subject = this.#options.address.localAddress ?? host;
      const detail = `cannot receive on ${subject}, which is not an address of this server`;
      return { reason: 'failed', detail, fault: 'not-local', subject };
    }
    return failureOfError(error);
  }

  #fail(failure: PullFailure): void {
    if (!this.#isClosed) this.#events.onFailed(failure);
  }
}

function joinGroup(socket: Socket, { host, senders, localAddress }: TsAddress): void {
  if (senders.length === 0) socket.addMembership(host, localAddress);
  for (const sender of senders) socket.addSourceSpecificMembership(sender, host, localAddress);
}
