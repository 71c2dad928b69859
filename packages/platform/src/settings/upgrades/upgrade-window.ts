// The daily time in which the server may be upgraded: auto-upgrade keeps to it, and `npm run may-upgrade` asks it for jobs of
// the operator's own.
import { type ActiveStream, AppError, because, changed, minUpgradeWindowHours } from '@srs-stack/contract';
import { z } from 'zod';
import type { Actor } from '../../actor.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { openSetting } from '../../store/setting.ts';
import type { DocumentType, Store } from '../../store/store.ts';

interface Window {
  /** `HH:MM` of the server's clock. */
  readonly start: string;
  readonly end: string;
}
const windowDocument: DocumentType<Window> = {
  key: 'upgrade-window',
  schema: z.object({ start: z.string(), end: z.string() }),
  empty: { start: '23:00', end: '05:00' },
};
const minutesPerDay = 24 * 60;

export interface UpgradeWindow {
  query(): Promise<
    Window & {
      isOpen: boolean;
      opensAt: string;
      closesAt: string;
      serverTime: string;
      timeZone: string;
      liveStreams: number;
      revision: string;
    }
  >;
  /** Throws `upgradeWindowTooShort`. */
  change(next: Window & { revision?: string | undefined; actor: Actor }): Promise<void>;
}

export interface UpgradeWindowDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly now: () => Date;
  readonly activeStreams: { list(): Promise<ActiveStream[]> };
}

export async function openUpgradeWindow(deps: UpgradeWindowDeps): Promise<UpgradeWindow> {
  const setting = await openSetting({ ...deps, type: windowDocument });
  return {
    async query() {
      const at = deps.now();
      const window = setting.current();
      const { opensAt, closesAt } = occurrence(window, at);
      return {
        ...window,
        isOpen: opensAt <= at && at < closesAt,
        opensAt: opensAt.toISOString(),
        closesAt: closesAt.toISOString(),
        serverTime: at.toISOString(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        liveStreams: (await deps.activeStreams.list()).length,
        revision: setting.revision(),
      };
    },
    async change({ start, end, revision, actor }) {
      const minutes = lengthMinutes({ start, end });
      if (minutes < minUpgradeWindowHours * 60)
        throw new AppError('upgradeWindowTooShort', because('settings.window-minutes', { start, end, minutes }));
      await setting.save(() => ({ start, end }), {
        revision,
        actor,
        detail: changed('platform.window', { start, end }),
      });
    },
  };
}

/** Length in minutes; an end that is not after the start is on the next day, the same time is no window. Pure. */
function lengthMinutes({ start, end }: Window): number {
  return (minuteOf(end) - minuteOf(start) + minutesPerDay) % minutesPerDay;
}

/** The window that is open at `at`, or the next one. Pure. */
function occurrence(window: Window, at: Date): { opensAt: Date; closesAt: Date } {
  const on = (dayOffset: number) => {
    const opensAt = new Date(at.getFullYear(), at.getMonth(), at.getDate() + dayOffset, 0, minuteOf(window.start));
    const closesOn = minuteOf(window.end) > minuteOf(window.start) ? dayOffset : dayOffset + 1;
    const closesAt = new Date(at.getFullYear(), at.getMonth(), at.getDate() + closesOn, 0, minuteOf(window.end));
    return { opensAt, closesAt };
  };
  return [on(-1), on(0)].find(({ closesAt }) => at < closesAt) ?? on(1);
}

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
