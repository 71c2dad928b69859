import type { FoundReleases, Installation, UpgradeProgress, UpgradeResult } from '@srs-stack/contract';
import { expect, it } from 'vitest';
import { type AutoUpgradeFacts, nextAutoStep } from './auto-upgrade.ts';

const [old, newer] = ['a'.repeat(40), 'b'.repeat(40)];
const hour = 3_600_000;
const nowMs = Date.parse('2026-01-02T03:00:00Z');
const installation: Installation = { kind: 'checkout', version: '1.0.0', commit: old, folder: '/srv', remote: 'r' };
const release = { channel: 'stable' as const, version: '1.1.0', commit: newer, date: '', changes: [], moreChanges: 0 };
const found: FoundReleases = {
  checkedAt: new Date(nowMs).toISOString(),
  problem: null,
  stable: release,
  development: null,
};
const facts: AutoUpgradeFacts = {
  auto: true,
  channel: 'stable',
  window: { isOpen: true, closesAtMs: nowMs + hour },
  installation,
  found,
  progress: null,
  result: null,
  nowMs,
};
const to = { channel: 'stable' as const, version: '1.1.0', commit: newer };
const problem = { reason: 'ended' as const, detail: '' };
const takenBack: UpgradeResult = { outcome: 'rolled-back', at: '', from: '1.0.0', to, problem, interruptionMs: 1 };
const failed: UpgradeProgress = { state: 'failed', step: 'install', startedAt: '', target: to, problem };

it('installs a newer release of the channel', () => {
  expect(nextAutoStep(facts)).toEqual({ do: 'start', commit: newer });
});

it.each<[string, Partial<AutoUpgradeFacts>]>([
  ['when it is off', { auto: false }],
  ['outside the window', { window: { isOpen: false, closesAtMs: nowMs + hour } }],
  [
    'when the window closes before an upgrade and a rollback would finish',
    { window: { isOpen: true, closesAtMs: nowMs + hour / 4 } },
  ],
  ['where the installation cannot upgrade itself', { installation: { ...installation, kind: 'container' } }],
  ['before it is known what is installed', { installation: null }],
  ['when the newest is installed', { installation: { ...installation, commit: newer } }],
  ['when the channel has none', { channel: 'development' }],
  ['after a failed check', { found: { ...found, problem: { reason: 'remote-unreachable', detail: '' } } }],
  ['when that release was rolled back', { result: takenBack }],
  ['when that release could not be prepared', { progress: failed }],
])('does nothing %s', (_when, change) => {
  expect(nextAutoStep({ ...facts, ...change })).toEqual({ do: 'nothing' });
});

it('tries a newer release after a failed one', () => {
  const result = { ...takenBack, to: { ...to, commit: 'c'.repeat(40) } };
  expect(nextAutoStep({ ...facts, result })).toEqual({ do: 'start', commit: newer });
});

it('checks for updates when the last check is missing or old', () => {
  expect(nextAutoStep({ ...facts, found: null })).toEqual({ do: 'look' });
  const checkedAt = new Date(nowMs - 2 * hour).toISOString();
  expect(nextAutoStep({ ...facts, found: { ...found, checkedAt } })).toEqual({ do: 'look' });
});
