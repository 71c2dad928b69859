// A hundred thousand reports of unknown viewers leave nothing in memory.
import { expect, it } from 'vitest';
import { startFixture } from './gateway-fixture.ts';
import { flood } from './report-flood.ts';

it('keeps nothing of a hundred thousand reports of streams that do not exist', { timeout: 600_000 }, async () => {
  const { http, gateway } = await startFixture();
  const outputs = [{ output: 'flv', seconds: 1 }];
  const body = (index: number) => JSON.stringify({ app: 'live', stream: `forged-${index}`, outputs });
  const before = await flood(http, 2_000, body);
  const after = await flood(http, 100_000, body);
  const response = await fetch(`http://127.0.0.1:${gateway.ports.srsApi}/api/v1/viewers/`);
  const { rows, results } = (await response.json()) as { rows: unknown[]; results: object };
  expect(rows).toEqual([]);
  expect(results).toEqual({ accepted: 0, invalid: 0, unknown: 102_000, dropped: 0 });
  expect(after - before).toBeLessThan(10 * 1024 ** 2);
  process.stdout.write(`heap before ${before}, after ${after} bytes\n`);
});
