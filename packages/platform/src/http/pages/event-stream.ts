// Sends metrics and events to open consoles as text/event-stream (WHATWG HTML §9.2). The contract (`event-stream.ts`) describes the
// messages. The number of clients and the queue of each client are limited.
import type { ServerResponse } from 'node:http';
import {
  AppError,
  eventStreamPath,
  eventStreamRequest,
  type MonitorEvent,
  type MonitorSnapshot,
  maxEventStreams,
  maxMonitorEvents,
  type StreamedEventName,
} from '@srs-stack/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Sessions } from '../../access/sessions.ts';
import type { Monitor } from '../../monitor/monitor.ts';
import { requestShapeOf } from '../wire/request-keys.ts';

/**
 * Interval of heartbeat comments, milliseconds. The comments keep proxies from closing an idle stream. A heartbeat also ends the stream if
 * the credential has become invalid.
 */
const heartbeatMs = 15_000;
/** Maximum queue of a client, bytes. A slower client is disconnected; after reconnecting, the client continues with the next event. */
const maxWaitingBytes = 256 * 1024;
/** Reconnection delay of clients, milliseconds. */
const retryMs = 2_000;
/** Time after which a refused client may retry, seconds. */
const fullRetrySeconds = 30;

interface Reader {
  readonly response: ServerResponse;
  readonly isStillAllowed: () => boolean;
  lastEventId: number;
}

export interface EventStreamServices {
  readonly monitor: Pick<Monitor, 'subscribe' | 'snapshot' | 'eventsSince'>;
  readonly sessions: Pick<Sessions, 'isValidToken' | 'isValidBearer'>;
}

export function registerEventStream(app: FastifyInstance, services: EventStreamServices): void {
  const { monitor, sessions } = services;
  const readers = new EventReaders(monitor);
  app.route({
    method: ['GET', 'POST'],
    url: eventStreamPath,
    schema: { body: eventStreamRequest },
    config: { access: 'credential', shape: requestShapeOf(eventStreamRequest) },
    handler: async (request, reply) => {
      if (readers.count >= maxEventStreams) {
        throw new AppError('tooManyEventStreams', undefined, { retryAfterSeconds: fullRetrySeconds });
      }
      const snapshot = await monitor.snapshot();
      const response = reply.raw;
      if (response.destroyed) return reply;
      reply.hijack();
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // Prevents nginx and compatible proxies from buffering the response.
        'x-accel-buffering': 'no',
      });
      const isStillAllowed = credentialCheck(request, sessions);
      readers.admit({ response, isStillAllowed, lastEventId: lastEventIdOf(request) }, snapshot);
      return reply;
    },
  });
  app.addHook('preClose', async () => readers.endAll());
}

/** Connected clients. Subscribes to the monitor only while clients are connected. */
class EventReaders {
  readonly #monitor: EventStreamServices['monitor'];
  readonly #readers = new Set<Reader>();
  #unsubscribe: (() => void) | undefined;
  #heartbeat: NodeJS.Timeout | undefined;

  constructor(monitor: EventStreamServices['monitor']) {
    this.#monitor = monitor;
  }

  get count(): number {
    return this.#readers.size;
  }

  admit(reader: Reader, snapshot: MonitorSnapshot): void {
    this.#readers.add(reader);
    if (this.#readers.size === 1) this.#listen();
    reader.response.once('close', () => this.#dismiss(reader));
    const missed = this.#monitor.eventsSince(reader.lastEventId, maxMonitorEvents);
    this.#send(reader, `retry: ${retryMs}\n\n${toMessage('snapshot', snapshot)}`);
    for (const event of missed) this.#sendEvent(reader, event);
  }

  endAll(): void {
    for (const { response } of this.#readers) response.end();
  }

  #listen(): void {
    this.#unsubscribe = this.#monitor.subscribe({
      onSnapshot: (snapshot) => this.#sendSnapshot(snapshot),
      onEvent: (event) => {
        for (const reader of this.#readers) this.#sendEvent(reader, event);
      },
    });
    const beat = () => {
      for (const reader of this.#readers) this.#send(reader, ': still here\n\n');
    };
    this.#heartbeat = setInterval(beat, heartbeatMs).unref();
  }

  #dismiss(reader: Reader): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0) return;
    this.#unsubscribe?.();
    clearInterval(this.#heartbeat);
  }

  /** Sends a message. After the end of the session, sends only a last message that reports the end. */
  #send(reader: Reader, text: string | Buffer): void {
    if (!reader.isStillAllowed()) {
      this.#dismiss(reader);
      reader.response.end(toMessage('expired', {}));
    } else if (reader.response.writableLength > maxWaitingBytes) reader.response.destroy();
    else reader.response.write(text);
  }

  #sendEvent(reader: Reader, event: MonitorEvent): void {
    if (event.id <= reader.lastEventId) return;
    reader.lastEventId = event.id;
    this.#send(reader, toMessage('happened', event, event.id));
  }

  #sendSnapshot(snapshot: MonitorSnapshot): void {
    const message = Buffer.from(toMessage('snapshot', snapshot));
    // Skips clients that have not read the previous snapshot, because only the newest snapshot matters.
    for (const reader of this.#readers) if (!reader.response.writableNeedDrain) this.#send(reader, message);
  }
}

function toMessage(name: StreamedEventName, data: object, id?: number): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `${idLine}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Returns 0 without a valid id. The client then gets the newest events. */
function lastEventIdOf(request: FastifyRequest): number {
  const header = request.headers['last-event-id'];
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : 0;
}

/**
 * Returns a check of the request's credential. The check is repeated while the stream is open, because a global sign-out ends the stream.
 */
function credentialCheck(request: FastifyRequest, sessions: EventStreamServices['sessions']): () => boolean {
  const bearer = request.headers.authorization?.split(' ')[1];
  if (bearer !== undefined) return () => sessions.isValidBearer(bearer);
  const { token = '' } = request.body as { token?: string };
  return () => sessions.isValidToken(token);
}
