// The client side of one RTMP connection that publishes: handshake → connect → createStream → publish → media → end. Parses bytes, and
// passes bytes and events to a handler. The owner handles socket, timeouts and reconnection.
import { ProtocolError } from '../../protocol-error.ts';
import type { AmfObject } from './amf0.ts';
import { ChunkReader } from './chunk-reader.ts';
import { outgoingChunkSize, writeChunks } from './chunk-writer.ts';
import { type ClientHandshake, createClientHandshake } from './client-handshake.ts';
import { parseCommand, type RtmpCommand, textOf, writeCommand } from './command-message.ts';
import { ackWindowBytes } from './command-responses.ts';
import { respondToChallenge } from './connect-challenge.ts';
import { announcedFourCcs, informationOf, redirectOf, sentFourCcs } from './connect-response.ts';
import {
  parseControlValue,
  parseUserControl,
  userEvent,
  writeAcknowledgement,
  writeSetChunkSize,
  writeUserControl,
  writeWindowAckSize,
} from './control-messages.ts';
import { chunkStream, messageType, type RtmpMessage } from './message.ts';
import type { PublishAddress } from './publish-address.ts';

/** Longest message of a server, bytes. A publisher receives only commands and acknowledgements. */
const maxMessageBytes = 64 * 1024;
/** Chunks read per turn of the event loop: twice the number of 128-byte chunks in a full read buffer (64 KB). */
const chunksPerTurn = 1_024;
/** Maximum length of a server's text in error messages, characters. */
const maxTextLength = 300;
/** Starts with the name of Adobe's encoder, because some platforms treat unknown programs as players. */
const flashVersion = 'FMLE/3.0 (compatible; SRS Stack)';
/** CapsExMask: reconnect requests are supported. */
const understoodCaps = 1;

const transaction = {
  connect: 1,
  releaseStream: 2,
  fcPublish: 3,
  createStream: 4,
  publish: 5,
  fcUnpublish: 6,
} as const;

export type PublishStep = 'handshake' | 'connect' | 'createStream' | 'publish' | 'publishing' | 'ended';

export type PublishOutcome =
  | {
      readonly kind: 'refused';
      readonly step: PublishStep;
      /** Status code, e.g. `NetStream.Publish.BadName`; empty if the server sends no code. */
      readonly code: string;
      /** The server's text, truncated. The text may contain parts of the address. */
      readonly description: string;
    }
  /** The server requests authentication: connect again with this query. */
  | { readonly kind: 'challenge'; readonly query: string }
  | { readonly kind: 'unauthorized'; readonly description: string }
  /** Publish at this application URL instead. */
  | { readonly kind: 'redirect'; readonly url: string };

export interface PublishTerms {
  readonly messageStreamId: number;
  /** FourCCs of the codecs that the server announces; undefined without an announcement. */
  readonly fourCcs: ReadonlySet<string> | undefined;
}

export interface PublishClientHandler {
  send(parts: Buffer[]): void;
  /** The server has accepted the application. The handler may end the client here, before a stream is requested. */
  onAccepted?(): void;
  /** The server has accepted the stream. Send media from now on. */
  onReady(terms: PublishTerms): void;
  /** The last event: close the socket. */
  onEnd(outcome: PublishOutcome): void;
}

export interface PublishClientOptions {
  readonly address: PublishAddress;
  /** Response to the challenge of the previous connection; empty without a challenge. */
  readonly authQuery: string;
  readonly random: (bytes: number) => Buffer;
}

export class RtmpPublishClient {
  #step: PublishStep = 'handshake';
  readonly #handler: PublishClientHandler;
  readonly #options: PublishClientOptions;
  #handshake: ClientHandshake | undefined;
  readonly #reader = new ChunkReader(maxMessageBytes);
  #terms: PublishTerms = { messageStreamId: 0, fourCcs: undefined };
  #receivedBytes = 0;
  #acknowledgedBytes = 0;
  #ackWindowBytes = ackWindowBytes;

  constructor(handler: PublishClientHandler, options: PublishClientOptions) {
    this.#handler = handler;
    this.#options = options;
    this.#handshake = createClientHandshake(options.random);
  }

  get step(): PublishStep {
    return this.#step;
  }

  /** Some pushed data is unprocessed. Call `readOn` in a later turn of the event loop. */
  get isHeldBack(): boolean {
    return this.#step !== 'ended' && this.#reader.isHeldBack;
  }

  start(): void {
    if (this.#handshake) this.#handler.send([this.#handshake.hello]);
  }

  /** Processes bytes from the server. Throws `ProtocolError`; the connection cannot be used afterwards. */
  push(data: Buffer): void {
    if (this.#step === 'ended') return;
    this.#receivedBytes += data.length;
    this.#reader.allowChunks(chunksPerTurn);
    if (this.#handshake) this.#shakeHands(this.#handshake, data);
    else this.#reader.push(data);
    this.#readMessages();
    this.#acknowledge();
  }

  /** Processes the data that remains after `push`. Throws like `push`. */
  readOn(): void {
    this.#reader.allowChunks(chunksPerTurn);
    this.#readMessages();
  }

  /** Ends the stream at the server. Idempotent; no event follows. */
  end(): void {
    const isPublishing = this.#step === 'publishing' || this.#step === 'publish';
    if (isPublishing) {
      const { streamName } = this.#options.address;
      this.#call('FCUnpublish', transaction.fcUnpublish, null, streamName);
      this.#call('deleteStream', 0, null, this.#terms.messageStreamId);
    }
    this.#step = 'ended';
  }

  #shakeHands(handshake: ClientHandshake, data: Buffer): void {
    const { reply, rest } = handshake.push(data);
    if (reply) this.#handler.send([reply]);
    if (!rest) return;
    this.#handshake = undefined;
    this.#step = 'connect';
    this.#send(writeSetChunkSize(outgoingChunkSize));
    this.#call('connect', transaction.connect, this.#connectObject());
    if (rest.length > 0) this.#reader.push(rest);
  }

  #connectObject(): AmfObject {
    const { address, authQuery } = this.#options;
    const query = authQuery === '' ? '' : `${address.app.includes('?') ? '&' : '?'}${authQuery}`;
    return {
      app: address.app + query,
      type: 'nonprivate',
      flashVer: flashVersion,
      tcUrl: address.tcUrl + query,
      capsEx: understoodCaps,
      fourCcList: sentFourCcs,
    };
  }

  #readMessages(): void {
    while (this.#step !== 'ended') {
      const message = this.#reader.next();
      if (!message) return;
      this.#handleMessage(message);
    }
  }

  /** Acknowledges the received bytes once per window (§5.4.3). */
  #acknowledge(): void {
    if (this.#handshake || this.#receivedBytes - this.#acknowledgedBytes < this.#ackWindowBytes) return;
    this.#acknowledgedBytes = this.#receivedBytes;
    this.#send(writeAcknowledgement(this.#receivedBytes));
  }

  #handleMessage(message: RtmpMessage): void {
    switch (message.typeId) {
      case messageType.windowAckSize:
        this.#ackWindowBytes = Math.max(parseControlValue(message), outgoingChunkSize);
        return;
      case messageType.setPeerBandwidth:
        this.#send(writeWindowAckSize(parseControlValue(message)));
        return;
      case messageType.userControl: {
        const { event, value } = parseUserControl(message);
        if (event === userEvent.pingRequest) this.#send(writeUserControl(userEvent.pingResponse, value));
        return;
      }
      case messageType.commandAmf0:
      case messageType.commandAmf3:
        this.#handleCommand(parseCommand(message));
        return;
      default: // acknowledgements and data messages: ignored
    }
  }

  #handleCommand(command: RtmpCommand): void {
    switch (command.name) {
      case '_result':
        this.#handleResult(command);
        return;
      case '_error':
        this.#handleError(command);
        return;
      case 'onStatus':
        this.#handleStatus(command);
        return;
      case 'close':
        this.#refuse(command);
        return;
      default: // onBWDone, onFCPublish and similar: ignored
    }
  }

  #handleResult(command: RtmpCommand): void {
    if (command.transactionId === transaction.connect && this.#step === 'connect') {
      this.#terms = { ...this.#terms, fourCcs: announcedFourCcs(command) };
      this.#handler.onAccepted?.();
      if (this.#step === 'connect') this.#createStream();
    } else if (command.transactionId === transaction.createStream && this.#step === 'createStream') {
      this.#publish(command);
    }
  }

  #createStream(): void {
    const { streamName } = this.#options.address;
    this.#step = 'createStream';
    this.#send(writeWindowAckSize(ackWindowBytes));
    this.#call('releaseStream', transaction.releaseStream, null, streamName);
    this.#call('FCPublish', transaction.fcPublish, null, streamName);
    this.#call('createStream', transaction.createStream, null);
  }

  #publish({ args }: RtmpCommand): void {
    const id = args.find((each) => typeof each === 'number');
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id > 0xffff_ffff)
      throw new ProtocolError('rtmp', 'the response to createStream has no stream id');
    this.#terms = { ...this.#terms, messageStreamId: id };
    this.#step = 'publish';
    this.#call('publish', transaction.publish, null, this.#options.address.streamName, 'live');
  }

  /** Servers may reject `releaseStream` and `FCPublish`. The rejection of any other command ends the client. */
  #handleError(command: RtmpCommand): void {
    const { transactionId } = command;
    if (transactionId === transaction.releaseStream || transactionId === transaction.fcPublish) return;
    if (this.#step === 'connect' && this.#handleRejection(command)) return;
    this.#refuse(command);
  }

  /** Ends the client if a rejection of connect is a redirect or requires authentication. Returns false for any other rejection. */
  #handleRejection(command: RtmpCommand): boolean {
    const information = informationOf(command);
    const description = textOf(information.description) ?? '';
    const url = redirectOf(information);
    if (url !== undefined) {
      this.#end({ kind: 'redirect', url });
      return true;
    }
    const { address, random } = this.#options;
    const result = respondToChallenge({ description, app: address.app, credentials: address.credentials, random });
    if (result.kind === 'none') return false;
    if (result.kind === 'retry') this.#end({ kind: 'challenge', query: result.query });
    else this.#end({ kind: 'unauthorized', description: toPlainText(description) });
    return true;
  }

  #handleStatus(command: RtmpCommand): void {
    const information = informationOf(command);
    if (information.code === 'NetConnection.Connect.ReconnectRequest') {
      this.#end({ kind: 'redirect', url: textOf(information.tcUrl) ?? this.#options.address.tcUrl });
    } else if (information.level === 'error') {
      this.#refuse(command);
    } else if (this.#step === 'publish' && information.code === 'NetStream.Publish.Start') {
      this.#step = 'publishing';
      this.#handler.onReady(this.#terms);
    }
  }

  #refuse(command: RtmpCommand): void {
    const { code, description } = informationOf(command);
    const texts = { code: toPlainText(textOf(code) ?? ''), description: toPlainText(textOf(description) ?? '') };
    this.#end({ kind: 'refused', step: this.#step, ...texts });
  }

  #end(outcome: PublishOutcome): void {
    this.#step = 'ended';
    this.#handler.onEnd(outcome);
  }

  #call(name: string, transactionId: number, ...args: Parameters<typeof writeCommand>[2][]): void {
    const streamId = name === 'publish' ? this.#terms.messageStreamId : 0;
    this.#send(writeCommand(streamId, false, name, transactionId, ...args));
  }

  #send(message: RtmpMessage): void {
    const id = message.typeId === messageType.commandAmf0 ? chunkStream.command : chunkStream.control;
    this.#handler.send(writeChunks(id, message));
  }
}

/** Replaces control characters, which could forge log lines, and truncates the text. */
function toPlainText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, maxTextLength);
}
