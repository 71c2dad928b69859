// Converts the settings of a channel and its prepared files to its schedule, and the schedule to the order for a gateway. Pure.
import type { Channel, ChannelItem } from '@srs-stack/contract/models/channel.ts';
import type { ChannelEntry } from '@srs-stack/process/channel-orders.ts';
import type { ResolvedItems } from './channel-sources.ts';
import type { Clip, Schedule, Slot, WeeklyClips } from './schedule.ts';

const minuteMs = 60_000;

export interface PreparedLengths {
  /** Milliseconds; undefined for a missing file. */
  lengthOf(path: string): number | undefined;
}

/** Undefined until there is a filler. Files that are not prepared are omitted. */
export function toSchedule(
  channel: Channel,
  items: ResolvedItems,
  dark: string,
  lengths: PreparedLengths,
): Omit<Schedule, 'anchor'> | undefined {
  const darkMs = lengths.lengthOf(dark);
  if (darkMs === undefined) return undefined;
  const clipsOf = (item: ChannelItem, minutes: number): Clip[] => {
    const ready = (items.get(item.id)?.files ?? []).flatMap(({ clipId, prepared }) => {
      const durationMs = lengths.lengthOf(prepared);
      return durationMs === undefined ? [] : [{ id: clipId, file: prepared, durationMs, loops: false }];
    });
    if (item.kind !== 'break') return ready;
    const durationMs = minutes * minuteMs;
    return durationMs > 0 ? [{ id: item.id, file: ready[0]?.file ?? dark, durationMs, loops: true }] : [];
  };
  return {
    zone: channel.zone,
    playlist: channel.playlist.flatMap((item) => clipsOf(item, item.minutes)),
    weekly: channel.weekly.map(
      ({ days, at, minutes, item }): WeeklyClips => ({
        ...{ days, minuteOfDay: minuteOfDay(at), longestMs: minutes * minuteMs },
        clips: clipsOf(item, minutes || item.minutes),
      }),
    ),
    filler: { id: '', file: dark, durationMs: darkMs, loops: true },
  };
}

export function toEntries(slots: readonly Slot[], { weekly }: Pick<Schedule, 'weekly'>): ChannelEntry[] {
  const first = new Set(weekly.flatMap(({ clips }) => (clips[0] ? [clips[0].id] : [])));
  return slots.map(({ clip, cause, startMs, offsetMs, endMs }) => ({
    ...{ id: clip.id, file: clip.file, startMs, offsetMs, endMs, loops: clip.loops },
    isFixed: cause === 'weekly' && first.has(clip.id),
  }));
}

function minuteOfDay(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * 60 + minutes;
}
