// One RTMP publisher: handshake, connect, publish. The caller then sends messages.
import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { type AmfValue, parseAmf, writeAmf } from './amf0.ts';
import { loopbackUrl } from './loopback.ts';
import { ChunkReader, type MessageHeader, messageType, writeMessage } from './rtmp-chunks.ts';

const chunkBytes = 4096;
const handshakeBytes = 1536;
/** Size of S0, S1 and S2, which the server sends before commands (RTMP 1.0 §5.2). */
const serverHandshakeBytes = 1 + 2 * handshakeBytes;

export interface RtmpTarget {
  readonly host: string;
  readonly port: number;
  readonly app: string;
  readonly name: string;
}

/** Parses `rtmp://127.0.0.1:port/app/name?query`; refuses other hosts. */
export function parseRtmpUrl(text: string): RtmpTarget {
  const url = loopbackUrl(text);
  const [, app = '', name = ''] = /^\/([^/]+)\/(.+)$/.exec(decodeURIComponent(url.pathname)) ?? [];
  return { host: url.hostname, port: Number(url.port || 1935), app, name: name + url.search };
}

export interface RtmpPublisherEvents {
  /** The server accepted the stream, `tookMs` after the connection attempt. */
  accepted(tookMs: number): void;
  failed(reason: string): void;
  /** The connection ended without `close()`. */
  closed(): void;
}

export class RtmpPublisher {
  readonly name: string;
  #stream = 0;
  #isLive = false;
  #isClosing = false;
  #handshake: Buffer | undefined = Buffer.alloc(0);
  readonly #startedAt = performance.now();
  readonly #socket: Socket;
  readonly #target: RtmpTarget;
  readonly #events: RtmpPublisherEvents;
  readonly #chunks = new ChunkReader((type, body) => this.#onMessage(type, body));

  constructor(target: RtmpTarget, events: RtmpPublisherEvents) {
    this.name = target.name;
    this.#target = target;
    this.#events = events;
    this.#socket = connect({ host: target.host, port: target.port, noDelay: true }, () => {
      this.#socket.write(Buffer.concat([Buffer.from([3]), Buffer.alloc(8), randomBytes(handshakeBytes - 8)]));
    });
    this.#socket.on('data', (bytes) => this.#onBytes(bytes));
    this.#socket.on('error', (error) => this.#fail(error.message));
    this.#socket.on('close', () => {
      this.#isLive = false;
      if (!this.#isClosing) this.#events.closed();
    });
  }

  get isLive(): boolean {
    return this.#isLive;
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  /** Serializes a media or data message. The caller sends the bytes unchanged or with a patched timestamp. */
  message(header: Omit<MessageHeader, 'stream'>, body: Buffer): Buffer {
    return writeMessage({ ...header, stream: this.#stream }, body, chunkBytes);
  }

  send(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#isClosing = true;
    if (this.#isLive) {
      this.#command('FCUnpublish', 6, null, this.name);
      this.#command('deleteStream', 7, null, this.#stream);
    }
    this.#socket.end();
  }

  #fail(reason: string): void {
    this.#isLive = false;
    if (!this.#isClosing) this.#events.failed(`${this.name}: ${reason}`);
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #onBytes(bytes: Buffer): void {
    if (!this.#handshake) {
      this.#chunks.push(bytes);
      return;
    }
    this.#handshake = Buffer.concat([this.#handshake, bytes]);
    if (this.#handshake.length < serverHandshakeBytes) return;
    const rest = this.#handshake.subarray(serverHandshakeBytes);
    this.#socket.write(this.#handshake.subarray(1, 1 + handshakeBytes));
    this.#handshake = undefined;
    this.#connect();
    this.#chunks.push(rest);
  }

  #connect(): void {
    const { app, host, port } = this.#target;
    const size = Buffer.alloc(4);
    size.writeUInt32BE(chunkBytes);
    this.#control(messageType.setChunkSize, size);
    const flashVer = 'FMLE/3.0 (compatible; bench)';
    this.#command('connect', 1, { app, type: 'nonprivate', flashVer, tcUrl: `rtmp://${host}:${port}/${app}` });
  }

  #control(type: number, body: Buffer): void {
    this.#socket.write(writeMessage({ chunkStream: 2, type, stream: 0, timestampMs: 0 }, body, chunkBytes));
  }

  #command(...values: AmfValue[]): void {
    this.#socket.write(
      this.message({ chunkStream: 3, type: messageType.command, timestampMs: 0 }, writeAmf(...values)),
    );
  }

  #onMessage(type: number, body: Buffer): void {
    const isPing = type === messageType.control && body.readUInt16BE(0) === 6;
    if (isPing) this.#control(messageType.control, Buffer.concat([Buffer.from([0, 7]), body.subarray(2)]));
    if (type === messageType.command) this.#onCommand(parseAmf(body));
  }

  #onCommand([name, transaction, , info]: AmfValue[]): void {
    if (name === '_error') this.#fail('the server answered an RTMP command with _error');
    else if (name === '_result' && transaction === 1) {
      this.#command('releaseStream', 2, null, this.name);
      this.#command('FCPublish', 3, null, this.name);
      this.#command('createStream', 4, null);
    } else if (name === '_result' && transaction === 4) {
      this.#stream = typeof info === 'number' ? info : 1;
      this.#command('publish', 5, null, this.name, 'live');
    } else if (name === 'onStatus' && !this.#isLive) this.#onStatus(info);
  }

  #onStatus(info: AmfValue | undefined): void {
    if (typeof info !== 'object' || info === null || Array.isArray(info)) return;
    if (info.code === 'NetStream.Publish.Start') {
      this.#isLive = true;
      this.#events.accepted(performance.now() - this.#startedAt);
    } else if (info.level === 'error') this.#fail(String(info.code));
  }
}
