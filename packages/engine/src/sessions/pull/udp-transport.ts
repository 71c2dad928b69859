// MPEG-TS that arrives in datagrams, unicast or multicast, bare or inside RTP. Any host that reaches the port can send to it. Therefore
// only networks that the operator of the machine has configured are accepted, and only one sender at a time.
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

/** Kernel buffer, bytes: a third of a second of 50 Mbps, while the event loop is busy. The system may allow less. */
const receiveBufferBytes = 2 * 1024 * 1024;
/** A sender that is silent for this time may be replaced by another one, milliseconds: an encoder restarts with another port. */
const senderSilenceMs = 2_000;
/** Maximum time, milliseconds, and number of packets for which a gap in RTP holds packets back. */
const reorderLimits = { maxWaitMs: 100, maxPackets: 512 } as const;

export interface UdpTransportOptions {
  readonly address: TsAddress;
  /** Networks that pulled sources may use; undefined: datagrams are not accepted. */
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
  /** SSRC of the RTP source; undefined before its first packet. */
  #ssrc: number | undefined;
  #socket: Socket | undefined;
  /** Address and port; '' before the first datagram. */
  #sender = '';
  #senderAtMs = 0;
  /** Newest address whose datagrams were refused. */
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
    // The owner must have the transport before it is notified of its end.
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
    // Bound to its group, a socket receives no datagrams of other groups on the port.
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
    // A restarted encoder renumbers its packets: they are not late packets of the previous source.
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

  /** True for the sender that is currently accepted. */
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

/** Throws the system error. */
function joinGroup(socket: Socket, { host, senders, localAddress }: TsAddress): void {
  if (senders.length === 0) socket.addMembership(host, localAddress);
  for (const sender of senders) socket.addSourceSpecificMembership(sender, host, localAddress);
}
