// A channel: a stream that plays a schedule around the clock.
import { z } from 'zod';
import {
  channelBitrates,
  channelHeights,
  channelRates,
  maxChannelItems,
  maxChannelMinutes,
  maxLabelLength,
  maxNameLength,
  maxWeeklyEntries,
} from '../limits.ts';

/** Maximum length of a folder path on the server, characters. */
const maxPathLength = 4_096;

export const channelItem = z.object({
  /** Assigned by the server. An update that contains the id of the current item does not interrupt the item. */
  id: z.string().max(maxNameLength).default(''),
  kind: z.enum(['file', 'recording', 'folder', 'break', 'live']),
  /** File: `target` in the library. Recording: uuid. Folder: path such as `/data/films`. Break: library file or ''. Live: `live/name`. */
  source: z.string().max(maxPathLength).default(''),
  /** Title in the program guide. */
  name: z.string().trim().max(maxLabelLength).default(''),
  /** Minutes of a break, or maximum minutes of a live stream. */
  minutes: z.number().min(0).max(maxChannelMinutes).default(0),
});
export type ChannelItem = z.infer<typeof channelItem>;

export const weeklyEntry = z.object({
  /** 1 (Monday) to 7 (Sunday). */
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  /** `HH:MM` in the channel's time zone. */
  at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  /** Maximum minutes of the entry; 0 plays all of its files. */
  minutes: z.number().min(0).max(maxChannelMinutes).default(0),
  item: channelItem,
});
export type WeeklyEntry = z.infer<typeof weeklyEntry>;

export const channelDraft = z.object({
  title: z.string().trim().max(maxLabelLength),
  /** Stream name; the app is `live`. */
  stream: z.string().max(maxNameLength),
  /** IANA time zone of the weekly entries, e.g. `Europe/Berlin`. */
  zone: z.string().min(1).max(maxNameLength),
  height: z.literal(channelHeights).default(720),
  fps: z.literal(channelRates).default(25),
  /** Maximum bitrate of the video, kbit/s. */
  kbps: z.int().min(channelBitrates.min).max(channelBitrates.max).default(3_000),
  /** Plays in a loop between weekly entries. */
  playlist: z.array(channelItem).max(maxChannelItems).default([]),
  weekly: z.array(weeklyEntry).max(maxWeeklyEntries).default([]),
});
export type ChannelDraft = z.infer<typeof channelDraft>;

export const channel = channelDraft.extend({ id: z.string(), enabled: z.boolean() });
export type Channel = z.infer<typeof channel>;

export const programmeSlot = z.object({
  /** Id of the item; '' if nothing can be played. */
  item: z.string(),
  title: z.string(),
  cause: z.enum(['weekly', 'playlist', 'filler']),
  /** RFC 3339. */
  startsAt: z.string(),
  endsAt: z.string(),
});
export type ProgrammeSlot = z.infer<typeof programmeSlot>;

export const channelProblem = z.object({
  title: z.string(),
  /**
   * `missing`: the file, recording or folder does not exist on this server. `empty`: the folder has no media. `disk-full`: no space for
   * the prepared file. `failed`: see `detail`.
   */
  reason: z.enum(['missing', 'empty', 'failed', 'disk-full']),
  detail: z.string(),
});
export type ChannelProblem = z.infer<typeof channelProblem>;

export const channelState = z.object({
  channel,
  /**
   * `elsewhere`: another node plays the channel. `unreachable`: another node should play the channel, but does not respond. `unsupported`:
   * an external media server cannot play channels.
   */
  state: z.enum(['off', 'preparing', 'on-air', 'waiting', 'elsewhere', 'unreachable', 'unsupported']),
  /** Name of the other node (`elsewhere`, `unreachable`). */
  server: z.string(),
  /** Reason of the media server for `waiting`, e.g. `stream-busy`. */
  reason: z.string(),
  /** Null while the channel is off. */
  now: programmeSlot.nullable(),
  next: programmeSlot.nullable(),
  preparation: z.object({
    ready: z.int(),
    total: z.int(),
    /** Name and progress (0 to 1) of the file in preparation; '' without a file. */
    current: z.string(),
    done: z.number(),
  }),
  /** Title of the file whose preparation delays the start; '' after the start. */
  startsWith: z.string(),
  /** Live stream (`app/name`) that replaces files now, or will replace them once published. */
  live: z
    .object({
      stream: z.string(),
      /** `takeover`: started by the operator. `item`: scheduled. */
      cause: z.enum(['takeover', 'item']),
      isOnAir: z.boolean(),
    })
    .nullable(),
  problems: z.array(channelProblem),
});
export type ChannelState = z.infer<typeof channelState>;

export const asRunEntry = z.object({
  /** RFC 3339. */
  at: z.string(),
  /**
   * `started`: the item started. `failed`: the file could not be read, so the next file was played. `live`: the live stream in `detail` was
   * shown. `absent`: the scheduled live stream in `detail` was not published.
   */
  kind: z.enum(['started', 'failed', 'live', 'absent']),
  item: z.string(),
  title: z.string(),
  detail: z.string(),
});
export type AsRunEntry = z.infer<typeof asRunEntry>;
