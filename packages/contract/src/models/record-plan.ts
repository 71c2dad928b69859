// An entry of the recording plan: streams, and the local times at which they are recorded.
import { z } from 'zod';
import { maxGlobLength, maxNameLength, maxRecordTitleLength, maxTimeZoneLength } from '../limits.ts';
import { isTimeZone } from '../zoned-time.ts';
import { refusedWith } from './schema-refusal.ts';

export const planRepeats = ['weekly', 'once'] as const;

const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

const entryShape = {
  /** Title of the entry's recordings; may be empty. */
  title: z.string().trim().max(maxRecordTitleLength).default(''),
  /** Glob pattern of `/{app}/{stream}`. */
  glob: z.string().trim().min(1).max(maxGlobLength),
  repeat: z.enum(planRepeats),
  /** Days for weekly repetition: 1 (Monday) to 7 (Sunday). */
  days: z.array(z.number().int().min(1).max(7)).max(7).default([]),
  /** Local date of an entry without repetition, e.g. `2026-05-01`; '' for other entries. */
  date: z.union([z.literal(''), z.iso.date()]).default(''),
  /** Local times `HH:MM`. An `end` that is not after `start` is on the next day. */
  start: clock,
  end: clock,
  /** IANA name, e.g. `Europe/Berlin`. */
  zone: z
    .string()
    .max(maxTimeZoneLength)
    .refine(
      isTimeZone,
      refusedWith('record.plan-zone', 'this is not the name of a time zone: use a name such as Europe/Berlin'),
    ),
  enabled: z.boolean().default(true),
};

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

/** `running`: records now. `waiting`: has a future time. `over`: has no future time. `off`: disabled. */
export const planStates = ['running', 'waiting', 'over', 'off'] as const;

export const planRow = planEntry.extend({
  state: z.enum(planStates),
  /** Current time range; null while not recording. */
  current: window.nullable(),
  next: window.nullable(),
  /** Streams that the entry records on any server, `app/stream`. */
  recording: z.array(z.string()),
});
export type PlanRow = z.infer<typeof planRow>;
