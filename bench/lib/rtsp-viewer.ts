// An RTSP viewer for load: plays all tracks over TCP (interleaved) or UDP and counts bytes and RTP sequence gaps. Nothing is decoded.
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

const frameMark = 0x24;
const frameHeaderBytes = 4;
/** Kernel buffer of a UDP viewer, bytes: large enough for a keyframe at 2 Mbps. */
const receiveBufferBytes = 1024 * 1024;

export interface RtspViewerOptions {
  readonly url: string;
  readonly hostname: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
}

export class RtspViewer {
  bytes = 0;
  gaps = 0;
  missing = 0;
  /** Milliseconds from the first request to the first RTP packet; undefined before. */
  firstPacketMs: number | undefined;
  isClosed = false;
  readonly #options: RtspViewerOptions;
  readonly #datagrams: DatagramSocket[] = [];
  readonly #sequences = new Map<number, number>();
  readonly #responses: ((head: string) => void)[] = [];
  #socket: Socket | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #requests = 0;
  #startedAt = 0;

  constructor(options: RtspViewerOptions) {
    this.#options = options;
  }

  /** Resolves when the server has accepted PLAY; rejects with any other response. */
  async open(): Promise<void> {
    const { url, hostname, port } = this.#options;
    const socket = connect(port, hostname).setNoDelay();
    this.#socket = socket;
    socket.on('close', () => this.#onClose()).on('error', () => undefined);
    socket.on('data', (data) => this.#onData(data));
    await once(socket, 'connect');
    this.#startedAt = performance.now();
    const description = await this.#request('DESCRIBE', url, 'Accept: application/sdp');
    const controls = [...description.matchAll(/^a=control:(trackID=\d+)/gm)].map(([, control]) => control!);
    let session = '';
    for (const [index, control] of controls.entries()) {
      const transport = await this.#transport(index);
      const headers = [`Transport: ${transport}`, ...(session ? [`Session: ${session}`] : [])];
      const response = await this.#request('SETUP', `${url}/${control}`, ...headers);
      session = /^session:\s*([^;\s]+)/im.exec(response)?.[1] ?? '';
    }
    await this.#request('PLAY', url, `Session: ${session}`);
  }

  reset(): void {
    this.bytes = 0;
    this.gaps = 0;
    this.missing = 0;
  }

  close(): void {
    this.#socket?.destroy();
    for (const socket of this.#datagrams.splice(0)) socket.close();
  }

  async #transport(index: number): Promise<string> {
    if (this.#options.transport === 'tcp') return `RTP/AVP/TCP;unicast;interleaved=${index * 2}-${index * 2 + 1}`;
    const [rtp, rtcp] = await Promise.all([this.#bind(), this.#bind()]);
    rtp.on('message', (datagram) => {
      this.bytes += datagram.length;
      this.#onRtp(index * 2, datagram, 0);
    });
    return `RTP/AVP;unicast;client_port=${rtp.address().port}-${rtcp.address().port}`;
  }

  async #bind(): Promise<DatagramSocket> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: receiveBufferBytes });
    this.#datagrams.push(socket);
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return socket;
  }

  #request(method: string, url: string, ...headers: string[]): Promise<string> {
    this.#requests += 1;
    const lines = [`${method} ${url} RTSP/1.0`, `CSeq: ${this.#requests}`, 'User-Agent: rtsp-load', ...headers];
    this.#socket!.write(`${lines.join('\r\n')}\r\n\r\n`);
    return new Promise((resolve, reject) => {
      this.#responses.push((text) => {
        if (/^RTSP\/1\.0 200 /.test(text)) resolve(text);
        else reject(new Error(`${method}: ${text.split('\r\n')[0] || 'the connection was closed'}`));
      });
    });
  }

  #onData(data: Buffer): void {
    this.bytes += data.length;
    let bytes = this.#rest.length === 0 ? data : Buffer.concat([this.#rest, data]);
    for (let used = this.#take(bytes); used > 0; used = this.#take(bytes)) bytes = bytes.subarray(used);
    this.#rest = bytes;
  }

  /** Size of the first frame or response in `bytes`; 0 while its end is missing. */
  #take(bytes: Buffer): number {
    if (bytes.length < frameHeaderBytes) return 0;
    if (bytes[0] !== frameMark) return this.#takeResponse(bytes);
    const end = frameHeaderBytes + bytes.readUInt16BE(2);
    if (bytes.length < end) return 0;
    this.#onRtp(bytes[1]!, bytes, frameHeaderBytes);
    return end;
  }

  #takeResponse(bytes: Buffer): number {
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd < 0) return 0;
    const length = /^content-length:\s*(\d+)/im.exec(bytes.toString('latin1', 0, headEnd))?.[1];
    const end = headEnd + 4 + Number(length ?? 0);
    if (bytes.length < end) return 0;
    this.#responses.shift()?.(bytes.toString('utf8', 0, end));
    return end;
  }

  #onRtp(channel: number, bytes: Buffer, offset: number): void {
    if (channel % 2 === 1 || bytes.length < offset + 4) return;
    this.firstPacketMs ??= performance.now() - this.#startedAt;
    const sequence = bytes.readUInt16BE(offset + 2);
    const before = this.#sequences.get(channel);
    this.#sequences.set(channel, sequence);
    if (before === undefined || sequence === ((before + 1) & 0xffff)) return;
    this.gaps += 1;
    this.missing += (sequence - before - 1) & 0xffff;
  }

  #onClose(): void {
    this.isClosed = true;
    for (const answer of this.#responses.splice(0)) answer('');
  }
}
