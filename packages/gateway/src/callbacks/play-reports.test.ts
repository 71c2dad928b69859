import type { SessionInfo } from '@srs-stack/engine';
import { expect, it } from 'vitest';
import { PlayReports } from './play-reports.ts';

const session = (clientId: string) => ({ clientId }) as SessionInfo;
const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

it('reports many viewers in one call, and later ones in the next', async () => {
  const delivered: [string, number][] = [];
  const attempted = Promise.withResolvers<void>();
  const response = Promise.withResolvers<boolean>();
  const reports = new PlayReports(async ({ clientId }, plays) => {
    delivered.push([clientId, plays]);
    if (delivered.length > 1) return true;
    attempted.resolve();
    return response.promise;
  }, 0);
  for (let index = 0; index < 1_000; index += 1) reports.add(session(`c${index}`));
  await attempted.promise;
  reports.add(session('later'));
  response.resolve(true);
  await reports.close(1_000);
  expect(delivered).toEqual([
    ['c999', 1_000],
    ['later', 1],
  ]);
  expect(reports.waiting).toBe(0);
});

it('retries a failed report, and discards it at a stop after one more attempt', async () => {
  const delivered: number[] = [];
  const tried = Promise.withResolvers<void>();
  const reports = new PlayReports(async (_newest, plays) => {
    delivered.push(plays);
    tried.resolve();
    return false;
  }, 0);
  reports.add(session('a'));
  await tried.promise;
  reports.add(session('b'));
  await reports.close(1_000);
  expect(delivered).toEqual([1, 2]);
  expect(reports.waiting).toBe(2);
  reports.add(session('c'));
  await soon();
  expect(delivered).toEqual([1, 2]);
});

it('does nothing at a stop when all viewers were reported', async () => {
  const reports = new PlayReports(async () => {
    throw new Error('unexpected report');
  });
  await reports.close(1_000);
  expect(reports.waiting).toBe(0);
});
