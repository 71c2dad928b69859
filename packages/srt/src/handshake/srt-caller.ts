// The calling side without sockets: induction, conclusion, then a connection.
import { randomInt } from 'node:crypto';
import type { ConnectionEvents } from '../connection/connection-options.ts';
import { SrtConnection } from '../connection/srt-connection.ts';
import { generateStreamKeys, type StreamKeys, toEncryptionField, writeKeyMaterial } from '../crypto/key-material.ts';
import { PayloadCipher } from '../crypto/payload-cipher.ts';
import { flowWindowPackets } from '../limits.ts';
import {
  extensionFlag,
  extensionType,
  type Handshake,
  type HandshakeExtension,
  handshakeType,
  parseCapabilities,
  parseHandshake,
  srtMagic,
  writeCapabilities,
  writeExtensionText,
  writeHandshake,
} from '../packet/handshake-packet.ts';
import { controlType, parsePacket, writeControlPacket } from '../packet/packet-header.ts';
import { SrtProtocolError } from '../protocol-error.ts';
import { connectionLimits, mtuBytes, ownFlags, type SrtOptions, srtVersion } from './handshake-options.ts';
import { rejectReason } from './reject-reason.ts';

/** Interval at which handshake packets without a response are repeated, microseconds (libsrt: 250 ms). */
const retryIntervalUs = 250_000;
/** Timeout of a call without a response, microseconds (libsrt: 3 s). */
const connectTimeoutUs = 3_000_000;
const versionOfInduction = 4;
/** Size of the state that a listener returns instead of keys when it cannot unwrap them, bytes. */
const keyStateBytes = 4;
/** UDT socket type "datagram" in the extension field of an induction. */
const inductionExtensionField = 2;

export interface CallerEvents extends ConnectionEvents {
  onConnected(connection: SrtConnection): void;
  /** `code`: rejection code; 0 without a response, and for a listener without the required features. */
  onFailed(code: number): void;
}

export class SrtCaller {
  readonly #options: SrtOptions;
  readonly #streamId: string;
  readonly #events: CallerEvents;
  readonly #socketId = randomInt(1, 0x3fff_ffff);
  readonly #initialSequence = randomInt(0, 0x7fff_ffff);
  readonly #startUs: number;
  readonly #keys: StreamKeys | undefined;
  #request: Buffer;
  #lastRequestUs: number;
  #connection: SrtConnection | undefined;
  #failed = false;

  constructor(options: SrtOptions, streamId: string, events: CallerEvents, nowUs: number) {
    this.#options = options;
    this.#streamId = streamId;
    this.#events = events;
    this.#startUs = nowUs;
    this.#keys = options.passphrase ? generateStreamKeys(options.keyLength ?? 16) : undefined;
    this.#request = this.#writeRequest(
      { type: handshakeType.induction, version: versionOfInduction, extensionField: inductionExtensionField },
      nowUs,
    );
    this.#lastRequestUs = nowUs;
    events.transmit(this.#request);
  }

  handleDatagram(datagram: Buffer, nowUs: number): void {
    try {
      const packet = parsePacket(datagram);
      if (packet.destinationSocketId !== this.#socketId || this.#failed) return;
      if (this.#connection) this.#connection.handlePacket(packet, nowUs);
      else if (packet.kind === 'control' && packet.type === controlType.handshake) {
        this.#handleHandshake(parseHandshake(packet.body), packet.timestampUs, nowUs);
      }
    } catch (error) {
      if (!(error instanceof SrtProtocolError)) throw error;
    }
  }

  #handleHandshake(handshake: Handshake, timestampUs: number, nowUs: number): void {
    if (handshake.type === handshakeType.induction) this.#conclude(handshake, nowUs);
    else if (handshake.type === handshakeType.conclusion) this.#establish(handshake, timestampUs, nowUs);
    else this.#fail(handshake.type);
  }

  #conclude(induction: Handshake, nowUs: number): void {
    if (induction.version < 5 || induction.extensionField !== srtMagic) {
      this.#fail(0);
      return;
    }
    const { receiverLatencyMs, senderLatencyMs, passphrase } = this.#options;
    const capabilities = writeCapabilities({ srtVersion, flags: ownFlags, receiverLatencyMs, senderLatencyMs });
    const extensions: HandshakeExtension[] = [{ type: extensionType.handshakeRequest, content: capabilities }];
    if (this.#keys && passphrase) {
      extensions.push({ type: extensionType.keyMaterialRequest, content: writeKeyMaterial(this.#keys, passphrase) });
    }
    if (this.#streamId) extensions.push({ type: extensionType.streamId, content: writeExtensionText(this.#streamId) });
    const extensionField =
      extensionFlag.handshake |
      (this.#keys ? extensionFlag.keyMaterial : 0) |
      (this.#streamId ? extensionFlag.config : 0);
    this.#request = this.#writeRequest(
      { type: handshakeType.conclusion, version: 5, extensionField, cookie: induction.cookie, extensions },
      nowUs,
    );
    this.#lastRequestUs = nowUs;
    this.#events.transmit(this.#request);
  }

  #establish(conclusion: Handshake, timestampUs: number, nowUs: number): void {
    const response = conclusion.extensions.find(({ type }) => type === extensionType.handshakeResponse);
    if (!response) {
      this.#fail(0);
      return;
    }
    // A listener that does not confirm the keys does not know the passphrase, and could not decrypt the payloads.
    if (this.#keys && !isKeyConfirmation(conclusion)) {
      this.#fail(rejectReason.badSecret);
      return;
    }
    const agreed = parseCapabilities(response.content);
    this.#connection = new SrtConnection(
      {
        socketId: this.#socketId,
        peerSocketId: conclusion.socketId,
        initialSequence: this.#initialSequence,
        receiverLatencyMs: Math.max(this.#options.receiverLatencyMs, agreed.senderLatencyMs),
        senderLatencyMs: Math.max(this.#options.senderLatencyMs, agreed.receiverLatencyMs),
        peerFlowWindowPackets: conclusion.flowWindowPackets,
        startUs: this.#startUs,
        timeBase: { timestampUs, nowUs },
        ...(this.#keys ? { cipher: new PayloadCipher(this.#keys) } : {}),
        ...(this.#options.passphrase ? { passphrase: this.#options.passphrase } : {}),
        ...connectionLimits(this.#options),
      },
      this.#events,
      nowUs,
    );
    this.#events.onConnected(this.#connection);
  }

  #writeRequest(
    fields: Pick<Handshake, 'type' | 'version' | 'extensionField'> & Partial<Handshake>,
    nowUs: number,
  ): Buffer {
    const body = writeHandshake({
      encryption: this.#keys && fields.version === 5 ? toEncryptionField(this.#keys.keyLength) : 0,
      initialSequence: this.#initialSequence,
      mtuBytes,
      flowWindowPackets,
      socketId: this.#socketId,
      cookie: 0,
      peerIp: '0.0.0.0',
      extensions: [],
      ...fields,
    });
    const timestampUs = nowUs - this.#startUs;
    return writeControlPacket({ type: controlType.handshake, timestampUs, destinationSocketId: 0 }, body);
  }

  /** Runs all due work. Returns the time of the next call, microseconds. */
  advance(nowUs: number): number {
    if (this.#failed) return Number.POSITIVE_INFINITY;
    if (this.#connection) return this.#connection.advance(nowUs);
    if (nowUs - this.#startUs > connectTimeoutUs) {
      this.#fail(0);
      return Number.POSITIVE_INFINITY;
    }
    if (nowUs - this.#lastRequestUs >= retryIntervalUs) {
      this.#lastRequestUs = nowUs;
      this.#events.transmit(this.#request);
    }
    return this.#lastRequestUs + retryIntervalUs;
  }

  #fail(code: number): void {
    this.#failed = true;
    this.#events.onFailed(code);
  }
}

function isKeyConfirmation({ extensions }: Handshake): boolean {
  const response = extensions.find(({ type }) => type === extensionType.keyMaterialResponse);
  return response !== undefined && response.content.length > keyStateBytes;
}
