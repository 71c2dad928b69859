// Converts channel settings and prepared files to a schedule, and the schedule to an order for gateways. Pure.
import type { Channel, ChannelItem } from '@srs-stack/contract/models/channel.ts';
import type { ChannelEntry } from '@srs-stack/process/channel-orders.ts';
import type { ResolvedItems } from './channel-sources.ts';
import type { Clip, Schedule, ScheduleContent, Slot, WeeklyClips } from './schedule.ts';

const minuteMs = 60_000;

export interface PreparedLengths {
  /** Milliseconds; undefined until the file is prepared. */
  lengthOf(path: string): number | undefined;
  failureOf(path: string): object | undefined;
}

/** The schedule of a channel with all prepared files. Undefined until the filler is prepared. */
export function toSchedule(
  channel: Channel,
  items: ResolvedItems,
  dark: string,
  lengths: PreparedLengths,
): ScheduleContent | undefined {
  const darkMs = lengths.lengthOf(dark);
  if (darkMs === undefined) return undefined;
  const clipsOf = (item: ChannelItem, minutes: number): Clip[] => {
    const durationMs = minutes * minuteMs;
    if (item.kind === 'live') return [{ id: item.id, file: dark, durationMs, loops: true, live: item.source }];
    const ready = (items.get(item.id)?.files ?? []).flatMap(({ clipId, prepared }) => {
      const fileMs = lengths.lengthOf(prepared);
      return fileMs === undefined ? [] : [{ id: clipId, file: prepared, durationMs: fileMs, loops: false, live: '' }];
    });
    if (item.kind !== 'break') return ready;
    return durationMs > 0 ? [{ id: item.id, file: ready[0]?.file ?? dark, durationMs, loops: true, live: '' }] : [];
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
    filler: { id: '', file: dark, durationMs: darkMs, loops: true, live: '' },
  };
}

/** Ids and titles of items that show a live stream. */
export function liveTitles(channel: Channel): [string, string][] {
  return liveItems(channel).map(({ id, name, source }) => [id, name || source]);
}

/** Items of the playlist and of weekly entries that show a live stream. */
export function liveItems({ playlist, weekly }: Pick<Channel, 'playlist' | 'weekly'>): Channel['playlist'] {
  return [...playlist, ...weekly.map(({ item }) => item)].filter(({ kind }) => kind === 'live');
}

/**
 * Title of the first file of the playlist if that file is not prepared yet. Undefined if the playlist can start. Ignores files whose
 * preparation failed.
 */
export function awaitedFirst(
  { playlist }: Channel,
  items: ResolvedItems,
  lengths: PreparedLengths,
): string | undefined {
  for (const { id, kind } of playlist) {
    if (kind === 'break' || kind === 'live') return undefined;
    const file = items.get(id)?.files.find(({ prepared }) => lengths.failureOf(prepared) === undefined);
    if (file) return lengths.lengthOf(file.prepared) === undefined ? file.title : undefined;
  }
  return undefined;
}

export function toEntries(slots: readonly Slot[], { weekly }: Pick<Schedule, 'weekly'>): ChannelEntry[] {
  const first = new Set(weekly.flatMap(({ clips }) => (clips[0] ? [clips[0].id] : [])));
  return slots.map(({ clip, cause, startMs, offsetMs, endMs }) => ({
    ...{ id: clip.id, file: clip.file, startMs, offsetMs, endMs, loops: clip.loops, live: clip.live },
    isFixed: cause === 'weekly' && first.has(clip.id),
  }));
}

function minuteOfDay(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * 60 + minutes;
}
