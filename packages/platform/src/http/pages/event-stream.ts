// The event stream: pushes figures and events to open consoles as text/event-stream (WHATWG HTML §9.2). What it sends is
// described in the contract (`event-stream.ts`). Bounded in readers and in what waits for a slow one.
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

/** A comment keeps proxies from closing a quiet stream, milliseconds; the credential is looked at with each message. */
const heartbeatMs = 15_000;
/** A reader this far behind is cut off, bytes: it comes back and goes on where it stopped. */
const maxWaitingBytes = 256 * 1024;
/** How long a reader should wait before it comes back, milliseconds. */
const retryMs = 2_000;
/** When a refused reader may try again, seconds. */
const fullRetrySeconds = 30;

interface Reader {
  readonly response: ServerResponse;
  readonly isStillAllowed: () => boolean;
  /** Nothing of what it has not sent yet is asked for again. */
  lastEventId: number;
}

export interface EventStreamServices {
  readonly monitor: Pick<Monitor, 'subscribe' | 'snapshot' | 'eventsSince'>;
  readonly sessions: Pick<Sessions, 'isValidToken' | 'isValidBearer'>;
}

export function registerEventStream(app: FastifyInstance, { monitor, sessions }: EventStreamServices): void {
  const readers = new Set<Reader>();
  let unsubscribe: (() => void) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;

  /** Nothing goes to a session that has ended: its last message says so. */
  const send = (reader: Reader, text: string | Buffer) => {
    if (!reader.isStillAllowed()) {
      dismiss(reader);
      reader.response.end(toMessage('expired', {}));
    } else if (reader.response.writableLength > maxWaitingBytes) reader.response.destroy();
    else reader.response.write(text);
  };
  const sendEvent = (reader: Reader, event: MonitorEvent) => {
    if (event.id <= reader.lastEventId) return;
    reader.lastEventId = event.id;
    send(reader, toMessage('happened', event, event.id));
  };
  const onSnapshot = (snapshot: MonitorSnapshot) => {
    const message = Buffer.from(toMessage('snapshot', snapshot));
    // Figures of now are worth nothing later: who has not read the last ones yet gets the next.
    for (const reader of readers) if (!reader.response.writableNeedDrain) send(reader, message);
  };
  const onEvent = (event: MonitorEvent) => {
    for (const reader of readers) sendEvent(reader, event);
  };
  const beat = () => {
    for (const reader of readers) send(reader, ': still here\n\n');
  };

  const admit = (reader: Reader) => {
    readers.add(reader);
    if (readers.size > 1) return;
    unsubscribe = monitor.subscribe({ onSnapshot, onEvent });
    heartbeat = setInterval(beat, heartbeatMs).unref();
  };
  const dismiss = (reader: Reader) => {
    if (!readers.delete(reader) || readers.size > 0) return;
    unsubscribe?.();
    clearInterval(heartbeat);
  };

  app.route({
    method: ['GET', 'POST'],
    url: eventStreamPath,
    schema: { body: eventStreamRequest },
    config: { access: 'credential', shape: requestShapeOf(eventStreamRequest) },
    handler: async (request, reply) => {
      if (readers.size >= maxEventStreams) {
        throw new AppError('tooManyEventStreams', undefined, { retryAfterSeconds: fullRetrySeconds });
      }
      const snapshot = await monitor.snapshot();
      const response = reply.raw;
      if (response.destroyed) return reply;
      const lastEventId = lastEventIdOf(request);
      const reader: Reader = { response, isStillAllowed: credentialCheck(request, sessions), lastEventId };
      reply.hijack();
      response.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // nginx and those that follow it would otherwise collect the answer first.
        'x-accel-buffering': 'no',
      });
      admit(reader);
      response.once('close', () => dismiss(reader));
      send(reader, `retry: ${retryMs}\n\n${toMessage('snapshot', snapshot)}`);
      for (const event of monitor.eventsSince(lastEventId, maxMonitorEvents)) sendEvent(reader, event);
      return reply;
    },
  });

  app.addHook('preClose', async () => {
    for (const { response } of readers) response.end();
  });
}

function toMessage(name: StreamedEventName, data: object, id?: number): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  return `${idLine}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** 0 when the reader has none, or one that is not ours: it then gets the newest events. */
function lastEventIdOf(request: FastifyRequest): number {
  const header = request.headers['last-event-id'];
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : 0;
}

/** The credential of the request, to be asked again while the stream is open: a sign-out everywhere ends it. */
function credentialCheck(request: FastifyRequest, sessions: EventStreamServices['sessions']): () => boolean {
  const bearer = request.headers.authorization?.split(' ')[1];
  if (bearer !== undefined) return () => sessions.isValidBearer(bearer);
  const { token = '' } = request.body as { token?: string };
  return () => sessions.isValidToken(token);
}
