// The sending half of a connection: takes payloads, sends paced data packets, retransmits on request, and drops late packets.
import type { PayloadCipher } from '../crypto/payload-cipher.ts';
import { flowWindowPackets } from '../limits.ts';
import { type Ack, parseAck } from '../packet/ack.ts';
import { parseLossReport, type SequenceRange } from '../packet/loss-report.ts';
import { controlType, headerBytes, writeDataPacket } from '../packet/packet-header.ts';
import { RateEstimator } from '../transfer/rate-estimator.ts';
import type { RoundTripTime } from '../transfer/round-trip-time.ts';
import { type OutgoingPacket, SendBuffer } from '../transfer/send-buffer.ts';
import type { ConnectionCounters } from './connection-stats.ts';

/** Minimum age at which a packet is too late, even if the latency is shorter, microseconds (§4.6). */
const minTooLateUs = 1_000_000;
/** Added to the age at which packets are too late, and to the retransmission timeout: two ACK intervals, microseconds. */
const tooLateMarginUs = 20_000;
/**
 * Minimum delay of a call of `advance` that shows that the process was blocked, microseconds. The socket may then contain unread
 * acknowledgements.
 */
const standstillUs = 100_000;
/** Time for reading acknowledgements after the process was blocked, microseconds. Meanwhile no packet is too late or times out. */
const catchUpUs = 50_000;
/** Maximum number of packets per call, which must not flood the network. */
const maxBurstPackets = 256;
/** Delay until the next attempt when pacing or the maximum number of packets stops a burst, microseconds. */
const pacingWaitUs = 1_000;
/** Maximum number of times that the retransmission timeout doubles. */
const maxTimeoutDoublings = 5;

export interface SenderOutput {
  control(type: number, info: number, body: Buffer): void;
  transmit(datagram: Buffer): void;
}

export class Sender {
  readonly #buffer: SendBuffer;
  readonly #rtt: RoundTripTime;
  readonly #counters: ConnectionCounters;
  readonly #output: SenderOutput;
  readonly #startUs: number;
  readonly #peerSocketId: number;
  readonly #tooLateUs: number;
  readonly #bytesPerUs: number;
  readonly #rate = new RateEstimator();
  #cipher: PayloadCipher | undefined;
  #windowPackets: number;
  #creditBytes = 0;
  #creditUs: number;
  #lastProgressUs: number;
  #timeoutDoublings = 0;
  /** Time at which `advance` must be called next, microseconds. */
  #wantedUs = Number.POSITIVE_INFINITY;
  #caughtUpUs = Number.NEGATIVE_INFINITY;

  constructor(options: {
    initialSequence: number;
    peerSocketId: number;
    peerFlowWindowPackets: number;
    latencyMs: number;
    startUs: number;
    nowUs: number;
    maxBandwidthBytesPerSecond: number;
    rtt: RoundTripTime;
    counters: ConnectionCounters;
    cipher: PayloadCipher | undefined;
    output: SenderOutput;
  }) {
    this.#buffer = new SendBuffer(options.initialSequence, flowWindowPackets);
    this.#peerSocketId = options.peerSocketId;
    this.#windowPackets = Math.max(options.peerFlowWindowPackets, 2);
    this.#tooLateUs = Math.max(options.latencyMs * 1000, minTooLateUs) + tooLateMarginUs;
    this.#startUs = options.startUs;
    this.#bytesPerUs = options.maxBandwidthBytesPerSecond / 1e6;
    this.#rtt = options.rtt;
    this.#counters = options.counters;
    this.#cipher = options.cipher;
    this.#output = options.output;
    this.#creditUs = options.nowUs;
    this.#lastProgressUs = options.nowUs;
  }

  setCipher(cipher: PayloadCipher): void {
    this.#cipher = cipher;
  }

  get flightPackets(): number {
    return this.#buffer.inFlight;
  }

  /** Number of accepted packets that were neither sent nor dropped. */
  get waitingPackets(): number {
    return this.#buffer.waiting;
  }

  get acknowledgedPackets(): number {
    return this.#buffer.acknowledged;
  }

  /** Drops all packets that the peer has not acknowledged, and counts them as dropped. */
  discardAll(): void {
    this.#counters.droppedPackets += this.#buffer.inFlight + this.#buffer.waiting;
    const sent = this.#buffer.discardAll();
    if (sent) this.#sendDropRequest(sent);
  }

  bitrateBps(nowUs: number): number {
    return this.#rate.bytesPerSecond(nowUs) * 8;
  }

  /** Accepts a payload. When the send buffer is full or the key is missing, returns false and counts the payload as dropped. */
  push(payload: Buffer, nowUs: number): boolean {
    const key = this.#cipher?.sendingKey ?? 0;
    const bytes = this.#cipher ? this.#cipher.apply(payload, this.#buffer.nextSequence, key) : payload;
    if (bytes && this.#buffer.push(bytes, nowUs, key)) {
      if (this.#buffer.inFlight === 0) this.#lastProgressUs = nowUs;
      return true;
    }
    this.#counters.droppedPackets++;
    return false;
  }

  onAck(body: Buffer, ackNumber: number, nowUs: number): void {
    const ack: Ack = parseAck(body);
    if (this.#buffer.acknowledge(ack.sequence)) {
      this.#lastProgressUs = nowUs;
      this.#timeoutDoublings = 0;
    }
    if (!ack.full) return;
    if (ack.full.rttUs > 0) this.#rtt.add(ack.full.rttUs);
    this.#windowPackets = Math.max(Math.min(ack.full.availableBufferPackets, flowWindowPackets), 2);
    this.#output.control(controlType.ackAck, ackNumber, Buffer.alloc(4));
  }

  onNak(body: Buffer, nowUs: number): void {
    const gone = this.#buffer.markLost(parseLossReport(body), nowUs, this.#rtt.rttUs);
    for (const range of gone) this.#sendDropRequest(range);
    this.#lastProgressUs = nowUs;
  }

  #sendDropRequest(range: SequenceRange): void {
    const body = Buffer.allocUnsafe(8);
    body.writeUInt32BE(range.first, 0);
    body.writeUInt32BE(range.last, 4);
    this.#output.control(controlType.dropRequest, 0, body);
  }

  /** Sends as much as pacing and the window allow. Returns the time of the next call, microseconds. */
  advance(nowUs: number): number {
    if (nowUs - this.#wantedUs >= standstillUs) this.#caughtUpUs = nowUs + catchUpUs;
    if (nowUs >= this.#caughtUpUs) {
      this.#dropTooLate(nowUs);
      this.#checkTimeout(nowUs);
    }
    this.#wantedUs = this.#sendWaiting(nowUs);
    return this.#wantedUs;
  }

  #sendWaiting(nowUs: number): number {
    this.#refillCredit(nowUs);
    for (let sent = 0; sent < maxBurstPackets; sent++) {
      if (this.#creditBytes <= 0) return nowUs + pacingWaitUs;
      const packet = this.#buffer.take(this.#windowPackets);
      if (!packet)
        return this.#buffer.inFlight > 0
          ? Math.max(this.#lastProgressUs + this.#timeoutUs(), this.#caughtUpUs)
          : Number.POSITIVE_INFINITY;
      this.#transmit(packet, nowUs);
    }
    return nowUs + pacingWaitUs;
  }

  #refillCredit(nowUs: number): void {
    const maxCreditBytes = Math.max(this.#bytesPerUs * 10_000, 16 * 1500);
    this.#creditBytes = Math.min(this.#creditBytes + (nowUs - this.#creditUs) * this.#bytesPerUs, maxCreditBytes);
    this.#creditUs = nowUs;
  }

  #transmit(packet: OutgoingPacket, nowUs: number): void {
    const datagram = writeDataPacket(
      {
        sequence: packet.sequence,
        encryption: packet.encryption,
        retransmitted: packet.sentCount > 0,
        messageNumber: packet.messageNumber,
        timestampUs: packet.originUs - this.#startUs,
        destinationSocketId: this.#peerSocketId,
      },
      packet.payload,
    );
    if (packet.sentCount > 0) this.#counters.retransmittedPackets++;
    packet.sentCount++;
    packet.lastSentUs = nowUs;
    this.#creditBytes -= datagram.length;
    this.#counters.sentPackets++;
    this.#counters.sentBytes += datagram.length - headerBytes;
    this.#rate.add(datagram.length - headerBytes, nowUs);
    this.#output.transmit(datagram);
  }

  #dropTooLate(nowUs: number): void {
    const dropped = this.#buffer.dropOlderThan(nowUs - this.#tooLateUs);
    if (!dropped) return;
    this.#counters.droppedPackets += ((dropped.last - dropped.first) & 0x7fff_ffff) + 1;
    this.#sendDropRequest(dropped);
  }

  #timeoutUs(): number {
    return (this.#rtt.timeoutUs + tooLateMarginUs) * 2 ** this.#timeoutDoublings;
  }

  #checkTimeout(nowUs: number): void {
    if (this.#buffer.inFlight === 0 || this.#buffer.hasLost || nowUs - this.#lastProgressUs < this.#timeoutUs()) return;
    this.#buffer.markAllInFlight();
    this.#lastProgressUs = nowUs;
    this.#timeoutDoublings = Math.min(this.#timeoutDoublings + 1, maxTimeoutDoublings);
  }
}
