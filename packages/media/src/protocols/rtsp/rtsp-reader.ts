// Parses an RTSP connection into messages and interleaved frames (RFC 2326 §4, §10.12). Accepts bare LF and empty lines between messages.
// Servers ignore responses.
import { ProtocolError } from '../../protocol-error.ts';
import type { ReceivedResponse, RtspRequest } from './rtsp-message.ts';

/** Maximum size of the header section, bytes. Real headers are below 2 KB, with a long token below 8 KB. */
export const maxRtspHeadBytes = 16 * 1024;
/** Longest body, bytes: session descriptions of cameras are below 8 KB. */
export const maxRtspBodyBytes = 64 * 1024;
/** Frames processed per turn of the event loop. A full read buffer (64 KB) of media has about 50. */
const framesPerTurn = 256;
/** Messages processed per turn. Peers that wait for each response send one. A message counts as 16 frames. */
const requestsPerTurn = 16;
const interleavedMark = 0x24;
const frameHeaderBytes = 4;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

export interface RtspReaderHandler {
  onRequest(request: RtspRequest): void;
  /** For clients only. */
  onResponse?(response: ReceivedResponse): void;
  /** `data` is a view, valid only during the call. */
  onFrame(channel: number, data: Buffer): void;
}

interface Head {
  readonly startLine: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly challenges: readonly string[];
  /** Size of the header section with its empty line, bytes. */
  readonly bytes: number;
  readonly bodyBytes: number;
}

export class RtspReader {
  readonly #handler: RtspReaderHandler;
  #parts: Buffer[] = [];
  #size = 0;
  /** Minimum bytes to continue parsing. */
  #wanted = 1;
  #head: Head | undefined;
  #isHeldBack = false;
  #itemsRead = 0;
  /** Work done in this turn of the event loop; 1 is the maximum. */
  #workDone = 0;

  constructor(handler: RtspReaderHandler) {
    this.#handler = handler;
  }

  /** Some received data is unprocessed. Call `readOn` in a later turn of the event loop, before the next `read`. */
  get isHeldBack(): boolean {
    return this.#isHeldBack;
  }

  /** Whether an incomplete message or frame is stored. */
  get isInside(): boolean {
    return this.#size > 0;
  }

  /**
   * Number of messages, frames and separate line breaks so far. A growing number shows that the peer is not stalled, even if every read
   * ends inside a frame.
   */
  get itemsRead(): number {
    return this.#itemsRead;
  }

  /** Takes received bytes, split anywhere. Throws ProtocolError for bytes that are not RTSP or exceed a limit. */
  read(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    if (this.#size >= this.#wanted) this.readOn();
  }

  /** Processes the data that remains after `read`. Throws like `read`. */
  readOn(): void {
    this.#isHeldBack = false;
    this.#workDone = 0;
    const bytes = this.#joinParts();
    let at = 0;
    for (; at < bytes.length; this.#workDone += 1 / framesPerTurn) {
      if (this.#workDone >= 1) {
        this.#isHeldBack = true;
        break;
      }
      const used = this.#readItem(bytes, at);
      if (used === 0) break;
      at += used;
      if (!this.#head) this.#itemsRead++;
    }
    // Copies a rest that waits for more data, because the source buffer may be large.
    const rest = this.#isHeldBack ? bytes.subarray(at) : Buffer.from(bytes.subarray(at));
    this.#parts = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    if (rest.length === 0) this.#wanted = 1;
  }

  /**
   * Joins the unprocessed bytes. A frame that began in an earlier read is processed here first, to avoid copying the rest of the last read.
   */
  #joinParts(): Buffer {
    const [first, ...others] = this.#parts;
    if (others.length === 0) return first!;
    const last = others.pop()!;
    const isFrame = !this.#head && first![0] === interleavedMark;
    const missing = this.#wanted - (this.#size - last.length);
    if (!isFrame || missing <= 0 || missing > last.length) return Buffer.concat(this.#parts);
    const begun = Buffer.concat([first!, ...others, last.subarray(0, missing)]);
    // If the previous read ended inside the frame header, `begun` is only the header.
    if (begun.length !== frameHeaderBytes + begun.readUInt16BE(2)) return Buffer.concat(this.#parts);
    this.#readFrame(begun, 0);
    this.#itemsRead++;
    this.#workDone += 1 / framesPerTurn;
    return last.subarray(missing);
  }

  /** Processes the message or frame at `at`. Returns the number of used bytes, or 0 if incomplete. */
  #readItem(bytes: Buffer, at: number): number {
    const first = bytes[at]!;
    if (this.#head) return this.#readBody(this.#head, bytes.subarray(at));
    if (first === interleavedMark) return this.#readFrame(bytes, at);
    if (first === carriageReturn || first === lineFeed) return 1;
    const message = bytes.subarray(at);
    const head = parseHead(message);
    this.#wanted = message.length + 1;
    if (!head) return 0;
    this.#head = head;
    return head.bytes + this.#readBody(head, message.subarray(head.bytes));
  }

  #readFrame(bytes: Buffer, at: number): number {
    const left = bytes.length - at;
    const size = left < frameHeaderBytes ? frameHeaderBytes : frameHeaderBytes + bytes.readUInt16BE(at + 2);
    this.#wanted = size;
    if (left < size) return 0;
    this.#handler.onFrame(bytes[at + 1]!, bytes.subarray(at + frameHeaderBytes, at + size));
    return size;
  }

  #readBody(head: Head, bytes: Buffer): number {
    this.#wanted = head.bodyBytes;
    if (bytes.length < head.bodyBytes) return 0;
    this.#head = undefined;
    this.#workDone += 1 / requestsPerTurn;
    const body = bytes.toString('utf8', 0, head.bodyBytes);
    if (isResponse(head)) this.#handler.onResponse?.(toResponse(head, body));
    else this.#handler.onRequest(toRequest(head, body));
    return head.bodyBytes;
  }
}

/** Parses the header section; returns undefined until the empty line arrives. */
function parseHead(bytes: Buffer): Head | undefined {
  const end = headEnd(bytes);
  if (end === undefined) {
    if (bytes.length > maxRtspHeadBytes) throw new ProtocolError('rtsp', 'the head of a message is too long');
    checkStart(bytes);
    return undefined;
  }
  if (end > maxRtspHeadBytes) throw new ProtocolError('rtsp', 'the head of a message is too long');
  const [startLine = '', ...lines] = bytes.toString('latin1', 0, end).split(/\r?\n/);
  const headers = new Map<string, string>();
  const challenges: string[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers.set(name, value);
    if (name === 'www-authenticate') challenges.push(value);
  }
  return { startLine, headers, challenges, bytes: end, bodyBytes: bodyBytesOf(headers) };
}

/** RTSP messages start with a letter. TLS and other binary protocols do not. */
function checkStart(bytes: Buffer): void {
  if (!/[A-Za-z]/.test(String.fromCharCode(bytes[0]!))) throw new ProtocolError('rtsp', 'not a request', 0);
}

function headEnd(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(lineFeed); at >= 0 && at <= maxRtspHeadBytes; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2;
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return at + 3;
  }
  return undefined;
}

function bodyBytesOf(headers: ReadonlyMap<string, string>): number {
  const text = headers.get('content-length') ?? '0';
  const bytes = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(bytes)) throw new ProtocolError('rtsp', 'Content-Length is not a number');
  if (bytes > maxRtspBodyBytes) throw new ProtocolError('rtsp', `the body has more than ${maxRtspBodyBytes} bytes`);
  return bytes;
}

function isResponse({ startLine }: Head): boolean {
  return /^RTSP\//i.test(startLine.trimStart());
}

function toResponse({ startLine, headers, challenges }: Head, body: string): ReceivedResponse {
  const [, status = '', reason = ''] = /^RTSP\/1\.\d\s+(\d{3})(?:\s+(.*))?$/i.exec(startLine.trim()) ?? [];
  if (status === '') throw new ProtocolError('rtsp', 'not an RTSP 1.0 response', 0);
  return { status: Number(status), reason: reason.trim(), headers, challenges, body };
}

function toRequest({ startLine, headers }: Head, body: string): RtspRequest {
  const [method = '', url = '', version = ''] = startLine.trim().split(/\s+/);
  if (!/^RTSP\/1\./i.test(version)) throw new ProtocolError('rtsp', 'not an RTSP 1.0 request', 0);
  return { method: method.toUpperCase(), url, headers, body };
}
