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

/** Longest path of a folder on the server, characters. */
const maxPathLength = 4_096;

export const channelItem = z.object({
  /** Set by the server. Sending it back with a change keeps the current item from being interrupted. */
  id: z.string().max(maxNameLength).default(''),
  kind: z.enum(['file', 'recording', 'folder', 'break', 'live']),
  /**
   * By kind: `target` of a library file, uuid of a recording, or path of a folder such as `/data/films`. For a break: a library file or ''.
   * For a live stream: `live/name`.
   */
  source: z.string().max(maxPathLength).default(''),
  /** Shown in the program guide. */
  name: z.string().trim().max(maxLabelLength).default(''),
  /** Duration of a break, or maximum duration of a live stream. */
  minutes: z.number().min(0).max(maxChannelMinutes).default(0),
});
export type ChannelItem = z.infer<typeof channelItem>;

export const weeklyEntry = z.object({
  /** 1 (Monday) to 7 (Sunday). */
  days: z.array(z.int().min(1).max(7)).min(1).max(7),
  /** `HH:MM` in the zone of the channel. */
  at: z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/),
  /** Maximum duration of the entry; 0: until all of its files have been played. */
  minutes: z.number().min(0).max(maxChannelMinutes).default(0),
  item: channelItem,
});
export type WeeklyEntry = z.infer<typeof weeklyEntry>;

export const channelDraft = z.object({
  title: z.string().trim().max(maxLabelLength),
  /** Name of the stream `live/<stream>`. */
  stream: z.string().max(maxNameLength),
  /** IANA time zone of the weekly entries, e.g. `Europe/Berlin`. */
  zone: z.string().min(1).max(maxNameLength),
  height: z.literal(channelHeights).default(720),
  fps: z.literal(channelRates).default(25),
  /** Maximum bitrate of the video, kbit/s. */
  kbps: z.int().min(channelBitrates.min).max(channelBitrates.max).default(3_000),
  /** Played repeatedly between weekly entries. */
  playlist: z.array(channelItem).max(maxChannelItems).default([]),
  weekly: z.array(weeklyEntry).max(maxWeeklyEntries).default([]),
});
export type ChannelDraft = z.infer<typeof channelDraft>;

export const channel = channelDraft.extend({ id: z.string(), enabled: z.boolean() });
export type Channel = z.infer<typeof channel>;

export const programmeSlot = z.object({
  /** Title of the current item; '' while nothing can be played. */
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
  /** `missing`: the file, recording or folder is not on this server. `empty`: the folder has no media. `failed`: see `detail`. */
  reason: z.enum(['missing', 'empty', 'failed', 'disk-full']),
  detail: z.string(),
});
export type ChannelProblem = z.infer<typeof channelProblem>;

export const channelState = z.object({
  channel,
  /**
   * `elsewhere`: another node plays it. `unreachable`: another node should play it but does not respond. `unsupported`: an external media
   * server cannot play channels.
   */
  state: z.enum(['off', 'preparing', 'on-air', 'waiting', 'elsewhere', 'unreachable', 'unsupported']),
  /** Name of the other node for `elsewhere` and `unreachable`. */
  server: z.string(),
  /** Why the channel waits: a reason of the media server, e.g. `stream-busy`. */
  reason: z.string(),
  /** Null while off. */
  now: programmeSlot.nullable(),
  next: programmeSlot.nullable(),
  preparation: z.object({
    ready: z.int(),
    total: z.int(),
    /** File in preparation, and its progress, 0 to 1; '' without one. */
    current: z.string(),
    done: z.number(),
  }),
  /** Title of the file that must be prepared before the playlist starts; '' after the start. */
  startsWith: z.string(),
  /** A live stream (`app/name`) that is shown instead of files, or will be once it is published. */
  live: z
    .object({
      stream: z.string(),
      /** Whether the operator started a takeover, or the schedule has an item with a live stream. */
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
   * `failed`: the file could not be read, so the next one was played. `live`: the live stream in `detail` was shown, scheduled or by a
   * takeover. `absent`: the scheduled live stream in `detail` was not published.
   */
  kind: z.enum(['started', 'failed', 'live', 'absent']),
  item: z.string(),
  title: z.string(),
  detail: z.string(),
});
export type AsRunEntry = z.infer<typeof asRunEntry>;
