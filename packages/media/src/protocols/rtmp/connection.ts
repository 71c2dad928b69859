// One server-side RTMP connection: handshake → connect → createStream → publish or play → end. Parses bytes, and passes bytes and events to
// a handler. The handler owns the socket and timers, and decides about publishers and players.
import { ProtocolError } from '../../protocol-error.ts';
import { splitAggregate } from './aggregate-message.ts';
import type { AmfObject, AmfValue } from './amf0.ts';
import { ChunkReader } from './chunk-reader.ts';
import { outgoingChunkSize, writeChunks } from './chunk-writer.ts';
import { amf0Bytes, parseCommand, type RtmpCommand, type Status, textOf } from './command-message.ts';
import { ackWindowBytes, responsesTo } from './command-responses.ts';
import {
  parseControlValue,
  parseUserControl,
  userEvent,
  writeAcknowledgement,
  writeUserControl,
} from './control-messages.ts';
import { createServerHandshake, type ServerHandshake } from './handshake.ts';
import { chunkStream, mediaStreamId, messageType, type RtmpMessage } from './message.ts';
import { streamStatus, writePlayStart, writeStatus } from './stream-status.ts';
import { parseStreamAddress, type StreamAddress } from './stream-url.ts';

/** Longest message before a publish is accepted, bytes. A connect message with long tokens is far shorter. */
const maxCommandBytes = 64 * 1024;
/** Longest message of a publisher, bytes. A 4K keyframe at 100 Mbps is shorter. */
const maxMediaBytes = 8 * 1024 * 1024;
/** Timeout from the connection to the end of the handshake, milliseconds. */
const handshakeTimeoutMs = 10_000;
/** Timeout for publish or play after the handshake or after the end of the previous stream, milliseconds. */
const commandTimeoutMs = 15_000;
/**
 * Chunks read per turn of the event loop. A full read buffer (64 KB) contains 512 chunks of the smallest usual size. It can also contain
 * 65,536 empty chunks, which take a tenth of a second.
 */
const chunksPerTurn = 1_024;
/** A response counts as this many chunks. */
const chunksPerResponse = 16;
/** Maximum length of tcUrl, app, page address and stream name with query, characters. Real values are far shorter. */
const maxAddressLength = 4096;

export interface StreamRequest extends StreamAddress {
  readonly tcUrl: string;
  readonly pageUrl: string;
  /** `flashVer` of connect: the name of the client program. */
  readonly userAgent: string;
  /** True when the client announced the stream first (`releaseStream`, `FCPublish`), as encoders do. */
  readonly announced: boolean;
}

export interface RtmpConnectionHandler {
  /** Sends bytes to the peer, in order. */
  send(parts: Buffer[]): void;
  /** Respond with `acceptPublish` or `refusePublish`, now or later. The connection reads no data until the response. */
  onPublish(request: StreamRequest): void;
  onPlay(request: StreamRequest): void;
  /** Audio, video or AMF0 data (types 8, 9, 18) of the accepted publisher. */
  onMedia(message: RtmpMessage): void;
  /** An invalid message was dropped; the connection continues. `reason` is an English phrase for the log. */
  onDropped(typeId: number, reason: string): void;
  /** The peer ended the accepted stream and may publish or play again. */
  onPublishEnd(): void;
  onPlayEnd(): void;
}

type ConnectionState =
  | 'handshake'
  | 'commands'
  | 'publishRequested'
  | 'publishing'
  | 'playRequested'
  | 'playing'
  | 'closed';

export interface RtmpConnectionOptions {
  readonly now: number;
  readonly random: (bytes: number) => Buffer;
}

export class RtmpConnection {
  #currentState: ConnectionState = 'handshake';
  #deadlineMs: number;
  #now: number;
  readonly #handler: RtmpConnectionHandler;
  /** Undefined after the handshake, because the object uses 1.5 KB. */
  #handshake: ServerHandshake | undefined;
  readonly #reader = new ChunkReader(maxCommandBytes);
  /** Remaining messages of an aggregate, processed before the data in the reader. */
  #parts: Iterator<RtmpMessage, undefined> | undefined;
  #partsHeldBack = false;
  #connect: AmfObject | undefined;
  #announced = false;
  /** The peer's last command was type 17 (AMF3 form), so responses are type 17. */
  #amf3 = false;
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #ackWindowBytes = ackWindowBytes;

  constructor(handler: RtmpConnectionHandler, { now, random }: RtmpConnectionOptions) {
    this.#handler = handler;
    this.#handshake = createServerHandshake(random);
    this.#now = now;
    this.#deadlineMs = now + handshakeTimeoutMs;
  }

  get state(): ConnectionState {
    return this.#currentState;
  }

  get bufferedBytes(): number {
    return this.#reader.bufferedBytes;
  }

  /** Returns the step whose timeout has passed; undefined if no timeout has passed. */
  overdue(now: number): 'handshake' | 'publish or play command' | undefined {
    if (now < this.#deadlineMs) return undefined;
    if (this.#currentState === 'handshake') return 'handshake';
    return this.#currentState === 'commands' ? 'publish or play command' : undefined;
  }

  /** Some pushed data is unprocessed. Call `readOn` in a later turn of the event loop, before the next `push`. */
  get isHeldBack(): boolean {
    return this.#mayRead && (this.#partsHeldBack || this.#reader.isHeldBack);
  }

  /** Processes bytes from the peer; ignores them after `close`. Throws `ProtocolError`; the connection cannot be used afterwards. */
  push(data: Buffer, now: number): void {
    if (this.#currentState === 'closed') return;
    this.#now = now;
    this.#receivedBytes += data.length;
    this.#reader.allowChunks(chunksPerTurn);
    if (this.#handshake) this.#shakeHands(this.#handshake, data);
    else this.#reader.push(data);
    this.#readMessages();
    this.#acknowledge();
  }

  /** Processes the data that remains after `push` or after the acceptance of a request. Throws like `push`. */
  readOn(now: number): void {
    this.#now = now;
    this.#reader.allowChunks(chunksPerTurn);
    this.#readMessages();
  }

  acceptPublish(now: number): void {
    this.#leave('publishRequested', 'publishing', now);
    this.#reader.allowMessageBytes(maxMediaBytes);
    this.#sendStatus(streamStatus.publishStart);
    this.#readMessages();
  }

  refusePublish(status: Status): void {
    this.#refuse('publishRequested', status);
  }

  acceptPlay(now: number): void {
    this.#leave('playRequested', 'playing', now);
    for (const message of writePlayStart(this.#amf3)) this.#send(message);
    this.#readMessages();
  }

  refusePlay(status: Status): void {
    this.#refuse('playRequested', status);
  }

  /** Ends an accepted publish from the server side. Close the socket after all data is sent. */
  endPublish(status: Status): void {
    this.#refuse('publishing', status);
  }

  /** Ends an accepted play, because the stream is over. */
  endPlay(status: Status): void {
    if (this.#currentState === 'playing') this.#send(writeUserControl(userEvent.streamEof, mediaStreamId));
    this.#refuse('playing', status);
  }

  /** The socket is closed: sends and reads nothing from now on. */
  close(): void {
    this.#currentState = 'closed';
  }

  #shakeHands(handshake: ServerHandshake, data: Buffer): void {
    const { reply, rest } = handshake.push(data);
    if (reply !== undefined) this.#handler.send([reply]);
    if (rest === undefined) return;
    this.#handshake = undefined;
    this.#awaitCommands(this.#now);
    if (rest.length > 0) this.#reader.push(rest);
  }

  /** Whether messages may be processed. While a publish or play decision is pending, later data waits. */
  get #mayRead(): boolean {
    const state = this.#currentState;
    return state === 'commands' || state === 'publishing' || state === 'playing';
  }

  #readMessages(): void {
    while (this.#mayRead) {
      const message = this.#nextPart() ?? this.#reader.next();
      if (message === undefined) return;
      this.#handleMessage(message);
    }
  }

  #nextPart(): RtmpMessage | undefined {
    this.#partsHeldBack = this.#parts !== undefined && !this.#reader.mayRead;
    if (this.#parts === undefined || this.#partsHeldBack) return undefined;
    this.#reader.spendChunks(1);
    const part = this.#readPart(this.#parts);
    if (part === undefined) this.#parts = undefined;
    return part;
  }

  /** Returns undefined at the end of the aggregate and at a damaged message. The rest of a damaged aggregate is dropped. */
  #readPart(parts: Iterator<RtmpMessage, undefined>): RtmpMessage | undefined {
    try {
      return parts.next().value;
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#handler.onDropped(messageType.aggregate, error.reason);
      return undefined;
    }
  }

  /** Acknowledges the received bytes once per window (§5.4.3). */
  #acknowledge(): void {
    if (this.#receivedBytes - this.#acknowledgedBytes < this.#ackWindowBytes || this.#connect === undefined) return;
    this.#acknowledgedBytes = this.#receivedBytes;
    this.#send(writeAcknowledgement(this.#receivedBytes));
  }

  #handleMessage(message: RtmpMessage): void {
    switch (message.typeId) {
      case messageType.audio:
      case messageType.video:
      case messageType.dataAmf0:
        if (this.#currentState === 'publishing') this.#handler.onMedia(message);
        return;
      case messageType.dataAmf3:
        this.#handleMessage(toAmf0Data(message));
        return;
      case messageType.aggregate:
        this.#parts = splitAggregate(message);
        return;
      case messageType.commandAmf0:
      case messageType.commandAmf3:
        this.#readOrDrop(message, parseCommand, (command) => {
          this.#amf3 = message.typeId === messageType.commandAmf3;
          this.#handleCommand(command);
        });
        return;
      case messageType.windowAckSize:
        this.#readOrDrop(message, parseControlValue, (bytes) => this.#setAckWindow(bytes));
        return;
      case messageType.userControl:
        this.#readOrDrop(message, parseUserControl, (control) => this.#handleUserControl(control));
        return;
      default: // acknowledgements, peer bandwidth, shared objects, unknown types: ignored
    }
  }

  /**
   * Drops an invalid message, because later messages are still readable. Before `connect`, an invalid message ends the connection: the peer
   * is not an RTMP client.
   */
  #readOrDrop<T>(message: RtmpMessage, parse: (message: RtmpMessage) => T, handle: (value: T) => void): void {
    let value: T;
    try {
      value = parse(message);
    } catch (error) {
      if (this.#connect === undefined || !(error instanceof ProtocolError)) throw error;
      this.#handler.onDropped(message.typeId, error.reason);
      return;
    }
    handle(value);
  }

  #setAckWindow(bytes: number): void {
    // A window of a few bytes would cause an acknowledgement for every read.
    this.#ackWindowBytes = Math.min(Math.max(bytes, outgoingChunkSize), 0x7fffffff);
  }

  #handleUserControl({ event, value }: ReturnType<typeof parseUserControl>): void {
    if (event === userEvent.pingRequest) this.#send(writeUserControl(userEvent.pingResponse, value));
  }

  #handleCommand(command: RtmpCommand): void {
    if ((this.#connect === undefined) !== (command.name === 'connect')) {
      throw new ProtocolError(
        'rtmp',
        this.#connect === undefined ? 'command before connect' : 'second connect command',
      );
    }
    for (const response of responsesTo(command, this.#amf3)) this.#send(response);
    switch (command.name) {
      case 'connect':
        this.#connect = command.object;
        break;
      case 'releaseStream':
      case 'FCPublish':
        this.#announced = true;
        break;
      case 'publish':
      case 'play':
        this.#handleRequest(command);
        break;
      case 'FCUnpublish':
        if (this.#currentState === 'publishing') this.#endStream();
        break;
      case 'closeStream':
      case 'deleteStream':
        this.#endStream();
        break;
      default: // changes nothing
    }
  }

  #handleRequest({ name, args }: RtmpCommand): void {
    if (this.#currentState !== 'commands')
      throw new ProtocolError('rtmp', `the command ${name} is not allowed in the state ${this.#currentState}`);
    const request = this.#requestOf(args);
    if (name === 'publish') {
      this.#currentState = 'publishRequested';
      this.#handler.onPublish(request);
    } else {
      this.#currentState = 'playRequested';
      this.#handler.onPlay(request);
    }
  }

  #endStream(): void {
    const { state } = this;
    if (state !== 'publishing' && state !== 'playing') return;
    this.#awaitCommands(this.#now);
    this.#announced = false;
    if (state === 'playing') {
      this.#handler.onPlayEnd();
    } else {
      this.#handler.onPublishEnd();
      this.#sendStatus(streamStatus.unpublishSuccess);
    }
  }

  #requestOf(args: AmfValue[]): StreamRequest {
    const connect = this.#connect ?? {};
    const tcUrl = addressText(connect.tcUrl);
    const address = parseStreamAddress(tcUrl, addressText(connect.app), addressText(args[0]));
    const pageUrl = addressText(connect.pageUrl);
    const userAgent = addressText(connect.flashVer);
    return { ...address, tcUrl, pageUrl, userAgent, announced: this.#announced };
  }

  #awaitCommands(now: number): void {
    this.#currentState = 'commands';
    this.#deadlineMs = now + commandTimeoutMs;
    this.#reader.allowMessageBytes(maxCommandBytes);
  }

  #leave(from: ConnectionState, to: ConnectionState, now: number): void {
    if (this.#currentState !== from) return;
    this.#currentState = to;
    this.#now = now;
  }

  #refuse(from: ConnectionState, status: Status): void {
    if (this.#currentState !== from) return;
    this.#sendStatus(status);
    this.#currentState = 'closed';
  }

  #sendStatus(status: Status): void {
    this.#send(writeStatus(status, this.#amf3));
  }

  #send(message: RtmpMessage): void {
    this.#reader.spendChunks(chunksPerResponse);
    if (this.#currentState !== 'closed') this.#handler.send(writeChunks(chunkStreamOf(message.typeId), message));
  }
}

/** Returns '' for a value that is not text. */
function addressText(value: AmfValue): string {
  const text = textOf(value) ?? '';
  if (text.length > maxAddressLength) throw new ProtocolError('rtmp', 'address too long');
  return text;
}

function toAmf0Data(message: RtmpMessage): RtmpMessage {
  return { ...message, typeId: messageType.dataAmf0, payload: amf0Bytes(message, messageType.dataAmf3) };
}

function chunkStreamOf(typeId: number): number {
  if (typeId === messageType.commandAmf0 || typeId === messageType.commandAmf3) return chunkStream.command;
  return typeId === messageType.dataAmf0 ? chunkStream.data : chunkStream.control;
}
