// An RTSP client over a plain socket, for requests that real clients never send. Also starts an engine with an RTSP listener.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import {
  type BoundAddresses,
  createEngine,
  type Engine,
  type EngineConfig,
  type SessionInfo,
  type Verdict,
} from '../src/index.ts';
import { recordingLog } from '../src/testing/recorders.ts';
import { testConfig } from './rtmp-server.ts';

export interface RtspResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly challenges: readonly string[];
  readonly body: string;
}

export interface RtspEngine {
  readonly engine: Engine;
  readonly port: number;
  readonly udpPort: number;
  readonly tlsPort: number;
  readonly bound: BoundAddresses;
  /** Sessions for which the host was called. */
  readonly hostCalls: SessionInfo[];
  url(rest?: string): string;
}

/** Starts an engine that admits everyone unless `verdictOf` decides otherwise. */
export async function startRtspEngine(
  verdictOf: (session: SessionInfo) => Verdict = () => ({ allowed: true }),
  config: Partial<EngineConfig> = {},
): Promise<RtspEngine> {
  const hostCalls: SessionInfo[] = [];
  const authorize = async (session: SessionInfo): Promise<Verdict> => {
    hostCalls.push(session);
    return verdictOf(session);
  };
  const listen = { host: '127.0.0.1', port: 0 };
  const engine = createEngine(
    { ...testConfig, rtsp: { ...listen, udp: listen }, ...config },
    {
      log: recordingLog(),
      isValidStream: ({ app, stream }) => app !== '' && stream !== '',
      authorizePublish: authorize,
      authorizePlay: authorize,
      onUnpublish: () => {},
      onStop: () => {},
      onHlsSegment: () => {},
    },
  );
  const bound = await engine.start();
  const { rtspPort, rtspUdpPort, rtspsPort } = bound;
  const url = (rest = 'live/s'): string => `rtsp://127.0.0.1:${rtspPort}/${rest}`;
  return { engine, port: rtspPort!, udpPort: rtspUdpPort!, tlsPort: rtspsPort!, bound, hostCalls, url };
}

export class RtspPeer {
  readonly socket: Socket;
  readonly closed: Promise<unknown>;
  #bytes = Buffer.alloc(0);
  #number = 0;
  #wake: () => void = () => undefined;

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      this.#bytes = Buffer.concat([this.#bytes, data]);
      this.#wake();
    });
    for (const event of ['end', 'close']) socket.on(event, () => this.#wake());
  }

  static async connect(port: number): Promise<RtspPeer> {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RtspPeer(socket);
  }

  async request(
    method: string,
    url: string,
    headers: Record<string, string> = {},
    body: string | Buffer = '',
  ): Promise<RtspResponse> {
    this.send(method, url, headers, body);
    return this.nextResponse();
  }

  send(method: string, url: string, headers: Record<string, string> = {}, body: string | Buffer = ''): void {
    const lines = [`${method} ${url} RTSP/1.0`, `CSeq: ${++this.#number}`];
    for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
    if (body.length > 0) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
    this.socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]));
  }

  /** The next response. Interleaved frames before the response are skipped. Status 0 means that the connection is closed. */
  async nextResponse(): Promise<RtspResponse> {
    for (;;) {
      const response = this.#take();
      if (response) return response;
      if (this.socket.destroyed || this.socket.readableEnded)
        return { status: 0, headers: new Map(), challenges: [], body: '' };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(): RtspResponse | undefined {
    while (this.#bytes[0] === 0x24 && this.#bytes.length >= 4) {
      const size = 4 + this.#bytes.readUInt16BE(2);
      if (this.#bytes.length < size) return undefined;
      this.#bytes = this.#bytes.subarray(size);
    }
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const [first = '', ...lines] = this.#bytes.toString('utf8', 0, end).split('\r\n');
    const headers = new Map(lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]));
    const challenges = lines.filter((line) => /^www-authenticate:/i.test(line)).map((line) => line.slice(18));
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0);
    if (this.#bytes.length < bodyEnd) return undefined;
    const body = this.#bytes.toString('utf8', end + 4, bodyEnd);
    this.#bytes = this.#bytes.subarray(bodyEnd);
    return { status: Number(first.split(' ')[1]), headers, challenges, body };
  }
}

/** SDP of one Opus track. */
export const opusDescription = [
  ...['v=0', 'o=- 0 0 IN IP4 127.0.0.1', 's=test', 'c=IN IP4 127.0.0.1', 't=0 0'],
  ...['m=audio 0 RTP/AVP 97', 'a=rtpmap:97 opus/48000/2', 'a=control:streamid=0', ''],
].join('\r\n');

/** An RTP packet with 20 ms of the Opus track. */
export function opusPacket(sequenceNumber: number, ssrc = 1): Buffer {
  const packet = Buffer.alloc(12 + 40, 0x5a);
  packet.writeUInt16BE(0x8061, 0);
  packet.writeUInt16BE(sequenceNumber & 0xffff, 2);
  packet.writeUInt32BE((sequenceNumber * 960) >>> 0, 4);
  packet.writeUInt32BE(ssrc, 8);
  packet[12] = 0xfc;
  return packet;
}

/** A frame interleaved in the RTSP connection (RFC 2326 §10.12). */
export function interleaved(channel: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x24, channel, data.length >> 8, data.length & 0xff]), data]);
}
