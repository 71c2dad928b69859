// The event stream (text/event-stream, WHATWG HTML §9.2): what a client sends, and the data of each event.
import { z } from 'zod';
import { monitorEvent, monitorSnapshot } from './monitor.ts';

export const eventStreamRequest = z.object({ token: z.string().optional() });

/**
 * `snapshot`: current metrics, every few seconds, without an id. `happened`: one event, with its id. `expired`: the credential is no longer
 * valid, and the stream ends.
 */
export const streamedEvents = {
  snapshot: monitorSnapshot,
  happened: monitorEvent,
  expired: z.object({}),
} as const;
export type StreamedEventName = keyof typeof streamedEvents;
