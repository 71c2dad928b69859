// The event stream (text/event-stream, WHATWG HTML §9.2): where it is, what a reader sends, and the data of each event.
import { z } from 'zod';
import { monitorEvent, monitorSnapshot } from './models/monitor.ts';

/**
 * GET or POST. The credential is that of every call: `token` in the JSON body or `Authorization: Bearer`; never in the
 * URL. `Last-Event-ID` is the id of the last `happened` event that was read; without it the newest ones are sent.
 */
export const eventStreamPath = '/terraform/v1/mgmt/monitor/events';

export const eventStreamRequest = z.object({ token: z.string().optional() });

/**
 * `snapshot`: figures of now, every few seconds, without an id. `happened`: one event, with its id. `expired`: the
 * credential is not valid any more, the stream ends.
 */
export const streamedEvents = {
  snapshot: monitorSnapshot,
  happened: monitorEvent,
  expired: z.object({}),
} as const;
export type StreamedEventName = keyof typeof streamedEvents;
