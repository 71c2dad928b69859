// The receiving half of a connection: takes data packets, delivers payloads in order and on time, and returns ACK and NAK.
import type { PayloadCipher } from '../crypto/payload-cipher.ts';
import { flowWindowPackets } from '../limits.ts';
import { writeFullAck, writeLightAck } from '../packet/ack.ts';
import { writeLossReport } from '../packet/loss-report.ts';
import { controlType, type DataPacket } from '../packet/packet-header.ts';
import { isSequenceBefore, sequenceDistance } from '../sequence-number.ts';
import { RateEstimator } from '../transfer/rate-estimator.ts';
import { ReceiveBuffer, type ReceivedPacket } from '../transfer/receive-buffer.ts';
import type { RoundTripTime } from '../transfer/round-trip-time.ts';
import { TimestampBase } from '../transfer/timestamp-base.ts';
import type { ConnectionCounters } from './connection-stats.ts';

/** Interval of full ACKs, microseconds (§4.8.1). */
const ackIntervalUs = 10_000;
/** Number of packets without an ACK after which a light ACK is sent (§4.8.1). */
const lightAckPackets = 64;
/** Minimum interval of periodic loss reports, microseconds (§4.8.2). */
const minNakIntervalUs = 20_000;
/** Maximum number of ACKs that await an ACKACK. Older ACKs are dropped. */
const maxOutstandingAcks = 64;
/** Maximum number of gaps checked for one loss report. A NAK packet holds about half as many. */
const maxReportedRanges = 400;

export interface ReceiverOutput {
  control(type: number, info: number, body: Buffer): void;
  deliver(payload: Buffer): void;
  onLoss(packets: number): void;
}

export class Receiver {
  readonly #buffer: ReceiveBuffer;
  readonly #rtt: RoundTripTime;
  readonly #counters: ConnectionCounters;
  readonly #output: ReceiverOutput;
  readonly #latencyUs: number;
  readonly #rate = new RateEstimator();
  readonly #outstandingAcks = new Map<number, { sequence: number; sentUs: number }>();
  #base: TimestampBase | undefined;
  #initialRttUs = 0;
  #cipher: PayloadCipher | undefined;
  #ackNumber = 0;
  #confirmedSequence: number;
  #lastAckSequence: number;
  #lastAckUs = 0;
  #packetsSinceAck = 0;
  #nextNakUs = 0;
  /** Gaps before this sequence number are due for another report: their first report is at least one NAK interval old. */
  #nakHorizon: number;

  constructor(options: {
    initialSequence: number;
    latencyMs: number;
    rtt: RoundTripTime;
    counters: ConnectionCounters;
    cipher: PayloadCipher | undefined;
    output: ReceiverOutput;
  }) {
    this.#buffer = new ReceiveBuffer(options.initialSequence, flowWindowPackets);
    this.#latencyUs = options.latencyMs * 1000;
    this.#rtt = options.rtt;
    this.#counters = options.counters;
    this.#cipher = options.cipher;
    this.#output = options.output;
    this.#confirmedSequence = options.initialSequence;
    this.#lastAckSequence = options.initialSequence;
    this.#nakHorizon = options.initialSequence;
  }

  /** Maps the sender's clock to the receiver's at the handshake. */
  setTimeBase(timestampUs: number, nowUs: number): void {
    this.#base = new TimestampBase(timestampUs, nowUs);
  }

  setCipher(cipher: PayloadCipher): void {
    this.#cipher = cipher;
  }

  bitrateBps(nowUs: number): number {
    return this.#rate.bytesPerSecond(nowUs) * 8;
  }

  onData(packet: DataPacket, nowUs: number): void {
    this.#counters.receivedPackets++;
    this.#counters.receivedBytes += packet.payload.length;
    this.#rate.add(packet.payload.length, nowUs);
    const gap = this.#buffer.gapBefore(packet.sequence);
    const result = this.#buffer.store(this.#toReceived(packet, nowUs));
    if (result === 'stored') {
      if (packet.retransmitted) this.#counters.recoveredPackets++;
      if (gap) this.#reportGap(gap);
    } else if (result === 'duplicate' || result === 'too-late') {
      this.#counters.duplicatePackets++;
    }
    if (++this.#packetsSinceAck >= lightAckPackets) this.#sendLightAck();
  }

  #toReceived(packet: DataPacket, nowUs: number): ReceivedPacket {
    const sentUs = this.#base ? this.#base.toReceiverTimeUs(packet.timestampUs) : nowUs;
    const isPlain = packet.encryption === 0 && !this.#cipher;
    const payload = isPlain ? packet.payload : this.#decrypt(packet);
    return { sequence: packet.sequence, dueUs: sentUs + this.#latencyUs, payload };
  }

  /** In an encrypted connection, a peer that sends unencrypted payloads does not know the passphrase. */
  #decrypt(packet: DataPacket): Buffer {
    const { payload: sent, sequence, encryption } = packet;
    const payload = encryption === 0 ? undefined : this.#cipher?.apply(sent, sequence, encryption);
    if (payload) return payload;
    this.#counters.undecryptedPackets++;
    return Buffer.alloc(0);
  }

  #reportGap(gap: { first: number; last: number }): void {
    this.#counters.lostPackets += sequenceDistance(gap.last, gap.first) + 1;
    this.#output.control(controlType.nak, 0, writeLossReport([gap]));
  }

  onAckAck(ackNumber: number, timestampUs: number, nowUs: number): void {
    const ack = this.#outstandingAcks.get(ackNumber);
    if (!ack) return;
    for (const number of this.#outstandingAcks.keys()) {
      this.#outstandingAcks.delete(number);
      if (number === ackNumber) break;
    }
    const sampleUs = nowUs - ack.sentUs;
    this.#rtt.add(sampleUs);
    if (isSequenceBefore(this.#confirmedSequence, ack.sequence)) this.#confirmedSequence = ack.sequence;
    if (this.#initialRttUs === 0) this.#initialRttUs = sampleUs;
    this.#base?.addDriftSample(timestampUs, nowUs, this.#rtt.rttUs, this.#initialRttUs);
  }

  /**
   * The sender will not retransmit the packets `first` to `last` (§3.2.9). If the gap at the head of the buffer is in this range, the gap
   * is skipped.
   */
  onDropRequest(first: number, last: number): void {
    const head = this.#buffer.headSequence;
    if (isSequenceBefore(head, first) || isSequenceBefore(last, head)) return;
    const missing = this.#buffer.skipMissingTo(last);
    if (missing === 0) return;
    this.#counters.droppedPackets += missing;
    this.#output.onLoss(missing);
  }

  /** Delivers due payloads, and sends ACK and NAK. Returns the time of the next call, microseconds. */
  advance(nowUs: number): number {
    const nextDeliveryUs = this.#deliverDue(nowUs);
    if (nowUs - this.#lastAckUs >= ackIntervalUs) this.#sendFullAck(nowUs);
    if (nowUs >= this.#nextNakUs) this.#sendPeriodicNak(nowUs);
    return Math.min(nextDeliveryUs, nowUs + ackIntervalUs);
  }

  /** Delivers everything that has arrived and skips gaps, after the peer has disconnected. */
  drain(): void {
    this.#deliverDue(Number.POSITIVE_INFINITY);
  }

  #deliverDue(nowUs: number): number {
    for (;;) {
      const head = this.#buffer.peek();
      if (head) {
        if (head.dueUs > nowUs) return head.dueUs;
        this.#buffer.take();
        if (head.payload.length > 0) this.#output.deliver(head.payload);
        continue;
      }
      const behind = this.#buffer.peekBehindGap();
      if (!behind) return Number.POSITIVE_INFINITY;
      if (behind.packet.dueUs > nowUs) return behind.packet.dueUs;
      const missing = this.#buffer.skipTo(behind.packet.sequence);
      this.#counters.droppedPackets += missing;
      this.#output.onLoss(missing);
    }
  }

  #sendFullAck(nowUs: number): void {
    this.#lastAckUs = nowUs;
    const sequence = this.#buffer.acknowledgedUpTo();
    const isNew = sequence !== this.#lastAckSequence;
    const isUnconfirmed = sequence !== this.#confirmedSequence && this.#newestAckAgeUs(nowUs) > this.#rtt.timeoutUs;
    if (!isNew && !isUnconfirmed) return;
    this.#lastAckSequence = sequence;
    this.#packetsSinceAck = 0;
    this.#ackNumber = (this.#ackNumber + 1) >>> 0;
    this.#rememberAck(sequence, nowUs);
    const body = writeFullAck({
      sequence,
      rttUs: this.#rtt.rttUs,
      rttVarianceUs: this.#rtt.varianceUs,
      availableBufferPackets: this.#buffer.freePackets,
      receivingPacketsPerSecond: this.#rate.packetsPerSecond(nowUs),
      linkCapacityPacketsPerSecond: this.#rate.packetsPerSecond(nowUs),
      receivingBytesPerSecond: this.#rate.bytesPerSecond(nowUs),
    });
    this.#output.control(controlType.ack, this.#ackNumber, body);
  }

  #rememberAck(sequence: number, nowUs: number): void {
    this.#outstandingAcks.set(this.#ackNumber, { sequence, sentUs: nowUs });
    if (this.#outstandingAcks.size <= maxOutstandingAcks) return;
    const oldest = this.#outstandingAcks.keys().next().value;
    if (oldest !== undefined) this.#outstandingAcks.delete(oldest);
  }

  #newestAckAgeUs(nowUs: number): number {
    const newest = this.#outstandingAcks.get(this.#ackNumber);
    return newest ? nowUs - newest.sentUs : Number.POSITIVE_INFINITY;
  }

  #sendLightAck(): void {
    this.#packetsSinceAck = 0;
    this.#output.control(controlType.ack, 0, writeLightAck(this.#buffer.acknowledgedUpTo()));
  }

  #sendPeriodicNak(nowUs: number): void {
    this.#nextNakUs = nowUs + Math.max(this.#rtt.timeoutUs / 2, minNakIntervalUs);
    const horizon = this.#nakHorizon;
    this.#nakHorizon = this.#buffer.endSequence;
    const due = this.#buffer.missingRanges(maxReportedRanges).filter(({ last }) => isSequenceBefore(last, horizon));
    if (due.length > 0) this.#output.control(controlType.nak, 0, writeLossReport(due));
  }
}
