// The event stream of the server, read with fetch, because the token must be in the body and never in the address.
import type { ErrorName, FailureEnvelope, MonitorEvent, MonitorSnapshot } from '@srs-stack/contract';
import { eventStreamPath } from '@srs-stack/contract/constants.ts';
import { errorNameOfCode } from '@srs-stack/contract/errors.ts';
import { ApiError } from './api-error.ts';
import { createSseParser, type SseMessage } from './sse-parser.ts';
import { readSession } from './stored-session.ts';

export interface EventStreamHandlers {
  onSnapshot(snapshot: MonitorSnapshot): void;
  onEvent(event: MonitorEvent): void;
  /** Called for any received data: even a comment proves that the connection is alive. */
  onAlive(): void;
}

export interface EventStreamOptions {
  /** Id of the last received event; 0 without one. */
  lastEventId: number;
  signal: AbortSignal;
}

/**
 * Reads until the server closes the stream.
 * @throws ApiError if the server refuses the request or the connection breaks; the abort reason when `signal` aborts.
 */
export async function readEventStream(handlers: EventStreamHandlers, options: EventStreamOptions): Promise<void> {
  const { lastEventId, signal } = options;
  const response = await fetch(eventStreamPath, {
    method: 'POST',
    headers: {
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
      ...(lastEventId > 0 && { 'Last-Event-ID': String(lastEventId) }),
    },
    body: JSON.stringify({ token: readSession()?.token }),
    signal,
  }).catch((error) => fail(error, signal));
  if (!response.ok || !response.body) throw await toRefusal(response);
  const parse = createSseParser();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { value, done } = await reader.read().catch((error) => fail(error, signal));
    if (done) return;
    handlers.onAlive();
    for (const message of parse(decoder.decode(value, { stream: true }))) dispatch(message, handlers);
  }
}

function dispatch({ event, data }: SseMessage, handlers: EventStreamHandlers): void {
  if (event === 'snapshot') handlers.onSnapshot(JSON.parse(data) as MonitorSnapshot);
  else if (event === 'happened') handlers.onEvent(JSON.parse(data) as MonitorEvent);
  else if (event === 'expired') throw failure({ kind: 'refused', errorName: 'tokenInvalid', status: 401 });
}

function fail(error: unknown, signal: AbortSignal): never {
  if (signal.aborted) throw error;
  throw new ApiError(
    { kind: 'network', message: 'the event stream was interrupted', url: eventStreamPath },
    { cause: error },
  );
}

async function toRefusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Partial<FailureEnvelope> | undefined;
  const errorName = body?.data?.name ?? errorNameOfCode(body?.code ?? 0);
  return failure({ kind: body?.code ? 'refused' : 'http', errorName, status: response.status });
}

function failure(facts: { kind: 'refused' | 'http'; errorName: ErrorName | undefined; status: number }): ApiError {
  return new ApiError({
    ...facts,
    message: `the event stream was refused, HTTP ${facts.status}`,
    url: eventStreamPath,
  });
}
