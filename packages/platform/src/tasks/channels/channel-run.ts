// One enabled channel: the schedule of its prepared files, the current position, and the order (the list of items that gateways play).
import type { Channel, ProgrammeSlot } from '@srs-stack/contract/models/channel.ts';
import { type ChannelEntry, maxChannelEntries } from '@srs-stack/process/channel-orders.ts';
import { awaitedFirst, liveTitles, type PreparedLengths, toEntries, toSchedule } from './channel-schedule.ts';
import type { ResolvedItems } from './channel-sources.ts';
import {
  type Beginning,
  continuedAnchor,
  followed,
  positionAt,
  type Schedule,
  type ScheduleContent,
  type Slot,
  slotAt,
  slotsFrom,
} from './schedule.ts';

/** Maximum time covered by an order, milliseconds. While the control plane is down, gateways play the order and then repeat it. */
const aheadMs = 48 * 3_600_000;
/** Length and cache time of the program guide, milliseconds. Computing many short clips is slow. */
const guideMs = 48 * 3_600_000;
const guideAgeMs = 30_000;
/** Maximum number of slots per response. */
const maxSlots = 2_000;

/** Overwrites fields that change without the operator, before two schedules are compared. */
const moving = { anchor: 0, ended: 0 };

export class ChannelRun {
  #schedule: Schedule | undefined;
  #entries: readonly ChannelEntry[] = [];
  #renewAtMs = 0;
  #startsWith = '';
  #titles: ReadonlyMap<string, string> = new Map();
  #guide:
    | { readonly madeAtMs: number; readonly schedule: Schedule; readonly slots: readonly ProgrammeSlot[] }
    | undefined;

  /** @param before schedule of an earlier process. */
  constructor(before: Schedule | undefined) {
    this.#schedule = before;
  }

  /** Undefined until at least the filler is prepared. */
  get schedule(): Schedule | undefined {
    return this.#schedule;
  }

  get entries(): readonly ChannelEntry[] {
    return this.#entries;
  }

  /** Title of the file that delays the start of the playlist; '' after the start. */
  get startsWith(): string {
    return this.#startsWith;
  }

  get filler(): string {
    return this.#schedule?.filler.file ?? '';
  }

  /** Applies newly prepared files. Returns true if the schedule must be stored and the order written. */
  update(channel: Channel, items: ResolvedItems, dark: string, lengths: PreparedLengths, nowMs: number): boolean {
    this.#titles = new Map([
      ...[...items.values()].flatMap(({ files }) => files.map(({ clipId, title }) => [clipId, title] as const)),
      ...liveTitles(channel),
    ]);
    const content = toSchedule(channel, items, dark, lengths);
    if (!content) {
      this.#entries = [];
      return false;
    }
    const before = this.#schedule;
    const next = this.#begun(content, awaitedFirst(channel, items, lengths));
    const isSame =
      before !== undefined && JSON.stringify({ ...before, ...moving }) === JSON.stringify({ ...next, ...moving });
    if (isSame && this.#entries.length > 0 && nowMs < this.#renewAtMs) return false;
    this.#schedule = { ...next, anchor: anchorOf(before, next, isSame, nowMs), ended: before?.ended ?? [] };
    const slots = slotsFrom(this.#schedule, nowMs, nowMs + aheadMs, maxChannelEntries);
    this.#entries = toEntries(slots, this.#schedule);
    this.#renewAtMs = nowMs + (slots.at(-1)!.endMs - nowMs) / 2;
    return true;
  }

  /** Delays the playlist until its first file is prepared. Weekly entries start in any case. */
  #begun(content: ScheduleContent, awaited: string | undefined): ScheduleContent {
    const hasBegun = (this.#schedule?.playlist.length ?? 0) > 0;
    this.#startsWith = hasBegun ? '' : (awaited ?? '');
    return this.#startsWith === '' ? content : { ...content, playlist: [] };
  }

  /**
   * Moves the schedule to the item that a gateway plays after a live stream. Returns true if the schedule moved; the next `update` then
   * renews the order.
   */
  follow(beginning: Beginning): boolean {
    const moved = this.#schedule && followed(this.#schedule, beginning);
    if (moved === this.#schedule) return false;
    this.#schedule = moved;
    this.#renewAtMs = 0;
    return true;
  }

  now(nowMs: number): { now: ProgrammeSlot; next: ProgrammeSlot } | undefined {
    if (!this.#schedule) return undefined;
    const [current, following] = slotsFrom(this.#schedule, nowMs, nowMs + aheadMs, 2);
    const now = current ?? slotAt(this.#schedule, nowMs);
    return { now: this.#toShown(now), next: this.#toShown(following ?? slotAt(this.#schedule, now.endMs)) };
  }

  programme(nowMs: number, untilMs: number): ProgrammeSlot[] {
    if (!this.#schedule) return [];
    return slotsFrom(this.#schedule, nowMs, untilMs, maxSlots).map((slot) => this.#toShown(slot));
  }

  /** Program guide for viewers. Cached while the schedule is unchanged, at most for `guideAgeMs`. */
  guide(nowMs: number): readonly ProgrammeSlot[] {
    const known = this.#guide;
    const ageMs = nowMs - (known?.madeAtMs ?? 0);
    if (known && known.schedule === this.#schedule && ageMs >= 0 && ageMs < guideAgeMs) return known.slots;
    if (!this.#schedule) return [];
    const slots = this.programme(nowMs, nowMs + guideMs);
    this.#guide = { madeAtMs: nowMs, schedule: this.#schedule, slots };
    return slots;
  }

  titleOf(clip: string): string {
    return this.#titles.get(clip) ?? '';
  }

  #toShown({ clip, cause, startMs, endMs }: Slot): ProgrammeSlot {
    const times = { startsAt: new Date(startMs).toISOString(), endsAt: new Date(endMs).toISOString() };
    return { item: clip.id, title: this.titleOf(clip.id), cause, ...times };
  }
}

/**
 * Anchor of the new schedule: a time and the playlist position at this time. Lookups compute from the anchor. Each order renews the anchor,
 * so that lookups never compute over years.
 */
function anchorOf(before: Schedule | undefined, next: ScheduleContent, isSame: boolean, nowMs: number) {
  if (!before) return { atMs: nowMs, positionMs: 0 };
  if (!isSame) return continuedAnchor(before, next, nowMs);
  const totalMs = next.playlist.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const positionMs = positionAt(before, nowMs);
  return { atMs: nowMs, positionMs: totalMs > 0 ? positionMs % totalMs : 0 };
}
