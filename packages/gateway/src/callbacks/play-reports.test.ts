import type { SessionInfo } from '@srs-stack/engine';
import { expect, it } from 'vitest';
import { PlayReports } from './play-reports.ts';

const session = (clientId: string) => ({ clientId }) as SessionInfo;
const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

it('reports many viewers in one call, and later ones in the next', async () => {
  const told: [string, number][] = [];
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<boolean>();
  const reports = new PlayReports(async ({ clientId }, plays) => {
    told.push([clientId, plays]);
    if (told.length > 1) return true;
    asked.resolve();
    return answer.promise;
  }, 0);
  for (let index = 0; index < 1_000; index += 1) reports.add(session(`c${index}`));
  await asked.promise;
  reports.add(session('later'));
  answer.resolve(true);
  await reports.close(1_000);
  expect(told).toEqual([
    ['c999', 1_000],
    ['later', 1],
  ]);
  expect(reports.waiting).toBe(0);
});

it('retries a failed report, and discards it at a stop after one more attempt', async () => {
  const told: number[] = [];
  const tried = Promise.withResolvers<void>();
  const reports = new PlayReports(async (_newest, plays) => {
    told.push(plays);
    tried.resolve();
    return false;
  }, 0);
  reports.add(session('a'));
  await tried.promise;
  reports.add(session('b'));
  await reports.close(1_000);
  expect(told).toEqual([1, 2]);
  expect(reports.waiting).toBe(2);
  reports.add(session('c'));
  await soon();
  expect(told).toEqual([1, 2]);
});

it('does nothing at a stop when all viewers were reported', async () => {
  const reports = new PlayReports(async () => {
    throw new Error('unexpected report');
  });
  await reports.close(1_000);
  expect(reports.waiting).toBe(0);
});
