// Serves other gateways of this node and of other nodes. Announces and sends the streams of this gateway, and handles requests of viewers
// that are connected to other gateways. Also serves the control planes of other nodes.
import { chmod, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { nodeCallPrefix } from '@srs-stack/contract/node-calls.ts';
import { type Engine, type StreamKey, takeSocket, toStreamUrl } from '@srs-stack/engine';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { createServer } from '@srs-stack/process/node-http.ts';
import { everybody } from '@srs-stack/process/turn-queue.ts';
import { RequestTurns, stoppableParser } from '../front/server/request-turns.ts';
import type { ViewerReports } from '../viewers/viewer-reports.ts';
import { type Announcement, endOfSnapshot, writeAnnouncement } from './announcement.ts';
import { DatagramFrameReader } from './datagram-frames.ts';
import { takeOffered } from './report-relay.ts';
import { siblingPaths, streamOfCall, viewerAddressHeader } from './sibling-paths.ts';
import { parseViewed } from './viewed-bytes.ts';

/** Only the user that runs the gateways may connect. */
const ownerOnly = 0o600;
/** Heartbeat interval, milliseconds. Without heartbeats, a network failure between two nodes would not be detected. */
const signOfLifeMs = 1_000;
/** Maximum size of announcements that a gateway has not read, bytes: about 10,000 streams. Above this size, the gateway must reconnect. */
const maxUnreadBytes = 2 * 1024 * 1024;
/** API calls that control planes of other nodes may send. */
const apiPrefix = '/api/v1/';

export interface SiblingServerOptions {
  readonly socketPath: string;
  readonly engine: Engine;
  /** HTTP API of this gateway, which control planes of other nodes call. */
  readonly api: RequestListener;
  /** Forwards calls from control planes of other nodes to the control plane of this node. */
  readonly nodeCalls: RequestListener;
  readonly reports: Pick<ViewerReports, 'take' | 'refuse'>;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class SiblingServer {
  readonly #options: SiblingServerOptions;
  readonly #server: Server;
  readonly #turns: RequestTurns;
  readonly #listeners = new Set<ServerResponse>();
  /** Streams that are published on this gateway, by URL. */
  readonly #own = new Map<string, Announcement>();
  readonly #timer: NodeJS.Timeout;
  readonly #unobserve: () => void;

  constructor(options: SiblingServerOptions) {
    this.#options = options;
    this.#turns = new RequestTurns({
      keyOfPeer: () => everybody,
      keyOfClient: () => everybody,
      answer: (request, response) => {
        this.#answer(request, response).catch((error: unknown) => {
          options.log.error({ err: error, path: request.url }, 'call of another gateway failed');
          response.destroy();
        });
      },
    });
    // Connections from other gateways stay open while both processes run.
    this.#server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, ...stoppableParser(this.#turns) });
    this.#server.on('request', (request, response) => this.#turns.take(request, response));
    this.#server.on('upgrade', (_request, socket) => this.#turns.stopReading(socket));
    this.#timer = setInterval(() => this.#write(`${endOfSnapshot}\n`), signOfLifeMs).unref();
    this.#unobserve = options.engine.observeStreams({
      onStart: ({ key }) => this.#begin(key),
      onEnd: ({ key }) => this.#end(key),
    });
  }

  /** Start of the stream's publisher on this gateway, milliseconds since 1970. Undefined without a publisher. */
  publishedSince(key: StreamKey): number | undefined {
    return this.#own.get(toStreamUrl(key))?.sinceMs;
  }

  async listen(): Promise<void> {
    const { socketPath, log } = this.#options;
    // Removes the socket that a killed process has left.
    await rm(socketPath, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(socketPath, resolve);
    });
    const shortage = createHandleShortage(log);
    this.#server.on('error', (error) => {
      if (!shortage.report(error)) log.error({ err: error }, 'connection from another gateway could not be accepted');
    });
    await chmod(socketPath, ownerOnly);
  }

  /** Accepts a connection from the internal port. The gateway of the other node is already authenticated. */
  accept(connection: Duplex): void {
    this.#server.emit('connection', connection);
  }

  /** Idempotent. */
  close(): void {
    clearInterval(this.#timer);
    this.#unobserve();
    this.#server.close();
    this.#server.closeAllConnections();
    this.#turns.cutStopped();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const target = request.url ?? '';
    if (target.startsWith(`${siblingPaths.viewer}/`)) return this.#answerViewer(request, response);
    if (target.startsWith(apiPrefix)) return this.#options.api(request, response);
    if (target.startsWith(nodeCallPrefix)) return this.#options.nodeCalls(request, response);
    const url = new URL(target, 'http://sibling');
    if (url.pathname === siblingPaths.viewed) return this.#countViewed(request, response);
    if (url.pathname === siblingPaths.announcements) return this.#announce(response);
    if (url.pathname === siblingPaths.datagrams) return this.#takeDatagrams(request);
    if (url.pathname === siblingPaths.reports) return this.#takeReports(request, response);
    const key = streamOfCall(url.searchParams);
    const { engine } = this.#options;
    if (!key) response.writeHead(400).end();
    else if (url.pathname === siblingPaths.stream) this.#sendStream(key, response);
    else if (url.pathname === siblingPaths.sending) {
      response.writeHead((await engine.isSending(key)) ? 409 : 200).end();
    } else if (url.pathname === siblingPaths.takeOver) {
      response.writeHead((await engine.yieldStream(key)) ? 200 : 409).end();
    } else if (url.pathname === siblingPaths.keyframe) {
      engine.requestKeyframe(key);
      response.writeHead(200).end();
    } else if (url.pathname === siblingPaths.watchFacts) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(engine.watchFacts(key)));
    } else response.writeHead(404).end();
  }

  async #countViewed(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.on('error', () => undefined);
    for await (const line of createInterface({ input: request })) {
      const viewed = parseViewed(line);
      if (viewed) this.#options.engine.countHlsBytes(viewed, viewed.context, viewed.bytes);
    }
    response.writeHead(200).end();
  }

  async #takeReports(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const unknown = JSON.stringify(await takeOffered(request, this.#options.reports));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(unknown);
  }

  #takeDatagrams(request: IncomingMessage): void {
    const { engine, log } = this.#options;
    const reader = new DatagramFrameReader((datagram, remote) => engine.takeDatagram(datagram, remote));
    request.on('data', (bytes: Buffer) => {
      try {
        reader.read(bytes);
      } catch (error) {
        log.error({ err: error }, 'datagrams from another gateway cannot be read');
        request.destroy();
      }
    });
    request.on('error', () => undefined);
  }

  #sendStream(key: StreamKey, response: ServerResponse): void {
    const open = () => {
      const socket = takeSocket(response);
      socket?.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n');
      return socket;
    };
    if (!this.#options.engine.sendCopy(key, open)) response.writeHead(404).end();
  }

  #answerViewer(request: IncomingMessage & { clientAddress?: string }, response: ServerResponse): void {
    request.url = (request.url ?? '').slice(siblingPaths.viewer.length);
    const address = request.headers[viewerAddressHeader];
    if (typeof address === 'string') request.clientAddress = address;
    if (!this.#options.engine.handleRequest(request, response)) response.writeHead(404).end();
  }

  #announce(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).flushHeaders();
    for (const announcement of this.#own.values()) response.write(writeAnnouncement(announcement));
    response.write(`${endOfSnapshot}\n`);
    this.#listeners.add(response);
    response.once('close', () => this.#listeners.delete(response));
  }

  #begin({ vhost, app, stream }: StreamKey): void {
    const announcement = { type: 'begin', vhost, app, stream, sinceMs: this.#options.now() } as const;
    this.#own.set(toStreamUrl(announcement), announcement);
    this.#broadcast(announcement);
  }

  #end(key: StreamKey): void {
    const announcement = this.#own.get(toStreamUrl(key));
    if (!announcement) return;
    this.#own.delete(toStreamUrl(key));
    this.#broadcast({ ...announcement, type: 'end' });
  }

  #broadcast(announcement: Announcement): void {
    this.#write(writeAnnouncement(announcement));
  }

  #write(line: string): void {
    for (const response of this.#listeners) {
      if (response.writableLength > maxUnreadBytes) response.destroy();
      else response.write(line);
    }
  }
}
