// Groups of targets that are started and stopped together. Pure.
import type { ForwardTarget } from '@srs-stack/contract';

export interface TargetCounts {
  readonly count: number;
  readonly enabled: number;
}

export interface TargetGroup extends TargetCounts {
  readonly name: string;
}

type Targets = Readonly<Record<string, Pick<ForwardTarget, 'enabled' | 'group'>>>;

export function countsOf(targets: Targets): TargetCounts {
  const all = Object.values(targets);
  return { count: all.length, enabled: all.filter(({ enabled }) => enabled).length };
}

/** Groups by name. Targets without a group are omitted. */
export function groupsOf(targets: Targets): TargetGroup[] {
  const byName = new Map<string, { count: number; enabled: number }>();
  for (const { group, enabled } of Object.values(targets)) {
    if (group === undefined || group === '') continue;
    const counts = byName.get(group) ?? { count: 0, enabled: 0 };
    byName.set(group, { count: counts.count + 1, enabled: counts.enabled + Number(enabled) });
  }
  return [...byName].map(([name, counts]) => ({ name, ...counts })).sort((a, b) => a.name.localeCompare(b.name));
}
