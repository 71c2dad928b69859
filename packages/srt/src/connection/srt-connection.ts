// An established connection without sockets and timers: takes packets and times, returns datagrams and events. The owner of the connection
// calls `advance` at the time that the last call returned. It also calls `advance` after it has passed packets or payloads.
import { parseKeyMaterial } from '../crypto/key-material.ts';
import { PayloadCipher } from '../crypto/payload-cipher.ts';
import { maxPayloadBytes } from '../limits.ts';
import { parseCapabilities, writeCapabilities } from '../packet/handshake-packet.ts';
import { type ControlPacket, controlType, type DataPacket, writeControlPacket } from '../packet/packet-header.ts';
import { SrtProtocolError } from '../protocol-error.ts';
import { RoundTripTime } from '../transfer/round-trip-time.ts';
import type { CloseReason, ConnectionEvents, ConnectionOptions } from './connection-options.ts';
import { createCounters, type SrtConnectionStats } from './connection-stats.ts';
import { Receiver } from './receiver.ts';
import { Sender } from './sender.ts';

/** Interval of keep-alives while nothing else is sent (§3.2.3). */
const keepAliveIntervalUs = 1_000_000;

/** Subtypes of user-defined control packets: capabilities of version 4 callers, and key refresh of all versions. */
const userSubtype = {
  handshakeRequest: 1,
  handshakeResponse: 2,
  keyMaterialRequest: 3,
  keyMaterialResponse: 4,
} as const;

/**
 * Minimum interval between unwrapped key messages, microseconds. Each unwrapping takes about a millisecond; refreshes are minutes apart.
 */
const keyRefreshIntervalUs = 100_000;

export class SrtConnection {
  readonly socketId: number;
  readonly peerSocketId: number;
  readonly #options: ConnectionOptions;
  readonly #events: ConnectionEvents;
  readonly #rtt = new RoundTripTime();
  readonly #counters = createCounters();
  readonly #receiver: Receiver;
  readonly #sender: Sender;
  #cipher: PayloadCipher | undefined;
  #keyMessage: Buffer | undefined;
  #keyMessageUs = Number.NEGATIVE_INFINITY;
  #lastReceivedUs: number;
  #lastSentUs: number;
  #nowUs: number;
  #closed = false;

  constructor(options: ConnectionOptions, events: ConnectionEvents, nowUs: number) {
    this.#options = options;
    this.#events = events;
    this.socketId = options.socketId;
    this.peerSocketId = options.peerSocketId;
    this.#cipher = options.cipher;
    this.#lastReceivedUs = nowUs;
    this.#lastSentUs = nowUs;
    this.#nowUs = nowUs;
    const shared = { rtt: this.#rtt, counters: this.#counters, cipher: options.cipher };
    const control = (type: number, info: number, body: Buffer) => this.#sendControl(type, info, body);
    this.#receiver = new Receiver({
      ...shared,
      initialSequence: options.initialSequence,
      latencyMs: options.receiverLatencyMs,
      output: {
        control,
        deliver: (payload) => events.onPayload(payload),
        onLoss: (packets) => events.onLoss?.(packets),
      },
    });
    this.#sender = new Sender({
      ...shared,
      initialSequence: options.initialSequence,
      peerSocketId: options.peerSocketId,
      peerFlowWindowPackets: options.peerFlowWindowPackets,
      latencyMs: options.senderLatencyMs,
      startUs: options.startUs,
      nowUs,
      maxBandwidthBytesPerSecond: options.maxBandwidthBytesPerSecond,
      output: { control, transmit: (datagram) => this.#transmit(datagram) },
    });
    if (options.timeBase) this.#receiver.setTimeBase(options.timeBase.timestampUs, options.timeBase.nowUs);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  get waitingPackets(): number {
    return this.#sender.waitingPackets;
  }

  get flightPackets(): number {
    return this.#sender.flightPackets;
  }

  get acknowledgedPackets(): number {
    return this.#sender.acknowledgedPackets;
  }

  /** Packets that were too late, refused or discarded, in both directions. */
  get droppedPackets(): number {
    return this.#counters.droppedPackets;
  }

  /** Drops all unacknowledged payloads, e.g. after a loss that makes them useless for the peer. */
  discardAll(nowUs: number): void {
    this.#nowUs = nowUs;
    if (!this.#closed) this.#sender.discardAll();
  }

  /** Handles a packet for this connection. A packet that breaks the protocol closes the connection. */
  handlePacket(packet: DataPacket | ControlPacket, nowUs: number): void {
    if (this.#closed) return;
    this.#nowUs = nowUs;
    this.#lastReceivedUs = nowUs;
    if (packet.kind === 'data') {
      this.#receiver.onData(packet, nowUs);
      return;
    }
    try {
      this.#handleControl(packet, nowUs);
    } catch (error) {
      if (!(error instanceof SrtProtocolError)) throw error;
      this.#end('protocol-error');
    }
  }

  #handleControl(packet: ControlPacket, nowUs: number): void {
    switch (packet.type) {
      case controlType.ack:
        this.#sender.onAck(packet.body, packet.info, nowUs);
        break;
      case controlType.nak:
        this.#sender.onNak(packet.body, nowUs);
        break;
      case controlType.ackAck:
        this.#receiver.onAckAck(packet.info, packet.timestampUs, nowUs);
        break;
      case controlType.dropRequest:
        this.#handleDropRequest(packet.body);
        break;
      case controlType.shutdown:
        this.#receiver.drain();
        this.#end('peer-closed');
        break;
      case controlType.userDefined:
        this.#handleUserDefined(packet, nowUs);
        break;
      default:
        break; // keep-alive, congestion warning, peer error: they only show that the peer is alive
    }
  }

  #handleDropRequest(body: Buffer): void {
    if (body.length < 8) throw new SrtProtocolError('drop request shorter than 8 bytes', body.length);
    this.#receiver.onDropRequest(body.readUInt32BE(0) & 0x7fff_ffff, body.readUInt32BE(4) & 0x7fff_ffff);
  }

  #handleUserDefined(packet: ControlPacket, nowUs: number): void {
    if (packet.subtype === userSubtype.keyMaterialRequest) this.#handleKeyRefresh(packet.body);
    if (packet.subtype === userSubtype.handshakeRequest) this.#handleLateCapabilities(packet, nowUs);
  }

  /** §6.1.6: unwraps the keys and echoes the message. The peer repeats its message until the echo arrives. */
  #handleKeyRefresh(message: Buffer): void {
    if (this.#keyMessage?.equals(message) !== true && !this.#takeKeys(message)) return;
    this.#sendControl(controlType.userDefined, 0, message, userSubtype.keyMaterialResponse);
  }

  #takeKeys(message: Buffer): boolean {
    const { passphrase } = this.#options;
    if (!passphrase || this.#nowUs - this.#keyMessageUs < keyRefreshIntervalUs) return false;
    this.#keyMessageUs = this.#nowUs;
    const keys = parseKeyMaterial(message, passphrase);
    if (!keys) return false;
    if (this.#cipher) this.#cipher.update(keys);
    else this.#setCipher(new PayloadCipher(keys));
    this.#keyMessage = Buffer.from(message);
    return true;
  }

  #setCipher(cipher: PayloadCipher): void {
    this.#cipher = cipher;
    this.#receiver.setCipher(cipher);
    this.#sender.setCipher(cipher);
  }

  /** Version 4 callers (libsrt before 1.3) send their capabilities after the handshake (appendix of the draft). */
  #handleLateCapabilities(packet: ControlPacket, nowUs: number): void {
    const capabilities = parseCapabilities(packet.body);
    this.#receiver.setTimeBase(packet.timestampUs, nowUs);
    const response = writeCapabilities({ ...capabilities, receiverLatencyMs: this.#options.receiverLatencyMs });
    this.#sendControl(controlType.userDefined, 0, response, userSubtype.handshakeResponse);
  }

  /**
   * Queues a payload of at most 1456 bytes. Returns false when the payload was dropped: the connection is closed, or the send buffer is
   * full. Call `advance` afterwards.
   */
  send(payload: Buffer, nowUs: number): boolean {
    if (this.#closed) return false;
    if (payload.length > maxPayloadBytes)
      throw new RangeError(`an SRT payload has ${payload.length} bytes, but at most ${maxPayloadBytes} fit`);
    this.#nowUs = nowUs;
    return this.#sender.push(payload, nowUs);
  }

  /** Runs all due work. Returns the time of the next call, microseconds on the clock of `nowUs`. */
  advance(nowUs: number): number {
    if (this.#closed) return Number.POSITIVE_INFINITY;
    this.#nowUs = nowUs;
    if (nowUs - this.#lastReceivedUs > this.#options.peerIdleTimeoutUs) {
      this.close(nowUs, 'peer-timeout');
      return Number.POSITIVE_INFINITY;
    }
    const receiverUs = this.#receiver.advance(nowUs);
    if (this.#closed) return Number.POSITIVE_INFINITY;
    const senderUs = this.#sender.advance(nowUs);
    if (nowUs - this.#lastSentUs >= keepAliveIntervalUs) this.#sendControl(controlType.keepAlive, 0, Buffer.alloc(4));
    return Math.min(receiverUs, senderUs);
  }

  close(nowUs: number, reason: CloseReason = 'closed'): void {
    if (this.#closed) return;
    this.#nowUs = nowUs;
    this.#sendControl(controlType.shutdown, 0, Buffer.alloc(4));
    this.#end(reason);
  }

  stats(nowUs: number): SrtConnectionStats {
    return {
      ...this.#counters,
      rttMs: this.#rtt.rttUs / 1000,
      rttVarianceMs: this.#rtt.varianceUs / 1000,
      flightPackets: this.#sender.flightPackets,
      receivingBitrateBps: this.#receiver.bitrateBps(nowUs),
      sendingBitrateBps: this.#sender.bitrateBps(nowUs),
      latencyMs: Math.max(this.#options.receiverLatencyMs, this.#options.senderLatencyMs),
    };
  }

  #end(reason: CloseReason): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#events.onClosed(reason);
  }

  #sendControl(type: number, info: number, body: Buffer, subtype = 0): void {
    const timestampUs = this.#nowUs - this.#options.startUs;
    this.#transmit(
      writeControlPacket({ type, subtype, info, timestampUs, destinationSocketId: this.peerSocketId }, body),
    );
  }

  #transmit(datagram: Buffer): void {
    this.#lastSentUs = this.#nowUs;
    this.#events.transmit(datagram);
  }
}
