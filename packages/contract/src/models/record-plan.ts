// An entry of the recording plan: streams, and local times of a named time zone at which they are recorded.
import { z } from 'zod';
import { maxGlobLength, maxNameLength, maxRecordTitleLength, maxTimeZoneLength } from '../limits.ts';
import { isTimeZone } from '../zoned-time.ts';
import { refusedWith } from './schema-refusal.ts';

export const planRepeats = ['weekly', 'once'] as const;

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

const entryShape = {
  /** Title of the recordings of the entry; may be empty. */
  title: z.string().trim().max(maxRecordTitleLength).default(''),
  /** Glob pattern of `/{app}/{stream}`. */
  glob: z.string().trim().min(1).max(maxGlobLength),
  repeat: z.enum(planRepeats),
  /** Weekly: 1 Monday to 7 Sunday. */
  days: z.array(z.number().int().min(1).max(7)).max(7).default([]),
  /** Once: the local date, such as `2026-05-01`; otherwise empty. */
  date: z.union([z.literal(''), z.iso.date()]).default(''),
  /** Local times `HH:MM`. An end that is not after the start is on the next day. */
  start: clock,
  end: clock,
  /** IANA name, such as `Europe/Berlin`. */
  zone: z
    .string()
    .max(maxTimeZoneLength)
    .refine(
      isTimeZone,
      refusedWith('record.plan-zone', 'this is not the name of a time zone: use a name such as Europe/Berlin'),
    ),
  /** Whether the entry has an effect. */
  enabled: z.boolean().default(true),
};

/** An entry as the operator sends it. */
export const planEntryFields = z
  .object(entryShape)
  .refine(
    ({ repeat, days, date }) => (repeat === 'weekly' ? days.length > 0 : date !== ''),
    refusedWith('record.plan-when', 'a weekly entry needs days of the week, and a one-time entry needs a date'),
  );

export const planEntryId = z.string().min(1).max(maxNameLength);
export const planEntry = z.object({ id: planEntryId, ...entryShape });
export type PlanEntry = z.infer<typeof planEntry>;

/** RFC 3339. */
const window = z.object({ from: z.string(), to: z.string() });

/**
 * `running`: the entry records now. `waiting`: its next time is in the future. `over`: it has no further time. `off`: it is switched off.
 */
export const planStates = ['running', 'waiting', 'over', 'off'] as const;

export const planRow = planEntry.extend({
  state: z.enum(planStates),
  /** Time range in which the entry records now; null when it does not. */
  current: window.nullable(),
  /** Next time range of the entry; null without one. */
  next: window.nullable(),
  /** Streams of the entry that are being recorded on any server, `app/stream`. */
  recording: z.array(z.string()),
});
export type PlanRow = z.infer<typeof planRow>;
