// The daily time window for upgrades. Auto-upgrade uses the window, and so do the operator's jobs with `npm run may-upgrade`.
import { type ActiveStream, AppError, because, minUpgradeWindowHours, type ResponseOf } from '@srs-stack/contract';
import { upgradeWindow as declaration } from '@srs-stack/contract/endpoints/settings/upgrade-window.ts';
import type { AuditTrail } from '../../store/audit-trail.ts';
import { type DeclaredSetting, openDeclared } from '../../store/setting.ts';
import type { Store } from '../../store/store.ts';

type Window = typeof declaration.document.empty;
const minutesPerDay = 24 * 60;

export interface UpgradeWindow extends Pick<DeclaredSetting<Window>, 'change'> {
  query(): Promise<ResponseOf<typeof declaration.query>>;
}

export interface UpgradeWindowDeps {
  readonly store: Store;
  readonly audit: AuditTrail;
  readonly now: () => Date;
  readonly activeStreams: { list(): Promise<ActiveStream[]> };
}

export async function openUpgradeWindow(deps: UpgradeWindowDeps): Promise<UpgradeWindow> {
  const setting = await openDeclared(declaration, { ...deps, check: requireLength });
  return {
    change: (values, by) => setting.change(values, by),
    async query() {
      const at = deps.now();
      const { opensAt, closesAt } = occurrence(setting.current(), at);
      return {
        ...setting.query(),
        isOpen: opensAt <= at && at < closesAt,
        opensAt: opensAt.toISOString(),
        closesAt: closesAt.toISOString(),
        serverTime: at.toISOString(),
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        liveStreams: (await deps.activeStreams.list()).length,
      };
    },
  };
}

function requireLength({ start, end }: Window): void {
  const minutes = lengthMinutes({ start, end });
  if (minutes < minUpgradeWindowHours * 60)
    throw new AppError('upgradeWindowTooShort', because('settings.window-minutes', { start, end, minutes }));
}

/** Length in minutes. An end before the start is on the next day; equal times mean no window. */
function lengthMinutes({ start, end }: Window): number {
  return (minuteOf(end) - minuteOf(start) + minutesPerDay) % minutesPerDay;
}

/** The window that is open at `at`, or the next window. */
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
