// The start time of a virtual live stream: parses it, and decides whether it has been reached. Pure.
import { AppError, because } from '@srs-stack/contract';
import { z } from 'zod';

/** RFC 3339 with an offset. Without an offset, the time would depend on the time zone of the server. */
const startTime = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/** Converts to UTC; empty means immediately. Throws `invalidRequest`. */
export function normalStartTime(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  if (!startTime.safeParse(trimmed).success)
    throw new AppError('invalidRequest', because('target.start-time', { text: trimmed }));
  return new Date(trimmed).toISOString();
}

export function isAhead(startAt: string, now: Date): boolean {
  return Date.parse(startAt) > now.getTime();
}
