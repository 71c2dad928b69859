// The event stream (text/event-stream, WHATWG HTML §9.2): request, and data of each event.
import { z } from 'zod';
import { monitorEvent, monitorSnapshot } from './monitor.ts';

export const eventStreamRequest = z.object({ token: z.string().optional() });

/**
 * `snapshot`: current metrics, sent every few seconds without id. `happened`: an event with its id. `expired`: the credential has expired,
 * and the stream ends.
 */
export const streamedEvents = {
  snapshot: monitorSnapshot,
  happened: monitorEvent,
  expired: z.object({}),
} as const;
export type StreamedEventName = keyof typeof streamedEvents;
