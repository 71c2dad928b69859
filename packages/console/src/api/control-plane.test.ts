import { endpoints } from '@srs-stack/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal, startFakeServer } from '../testing/fake-server.ts';
import { call } from './api-client.ts';
import { controlPlane, watchControlPlane } from './control-plane.ts';
import { createQueryClient, refreshWhenBack } from './query-client.ts';

let stop: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  stop = watchControlPlane();
});
afterEach(() => stop());

const restarting = () => new Refusal('controlPlaneRestarting');

test('after a failed call the server counts as unavailable; a probe detects its return and the screens refresh', async () => {
  const server = startFakeServer({ status: restarting, queryVersion: restarting });
  const client = createQueryClient();
  const invalidate = vi.spyOn(client, 'invalidateQueries');
  const stopRefreshing = refreshWhenBack(client);
  await call(endpoints.status, {}).catch(() => {});
  expect(controlPlane.state()).toBe('away');
  await vi.advanceTimersByTimeAsync(3_000);
  expect(server.callsOf('queryVersion').length).toBeGreaterThan(1);
  expect(controlPlane.state()).toBe('away');
  server.respondWith({ queryVersion: () => ({ version: '1' }) });
  await vi.advanceTimersByTimeAsync(6_000);
  expect(controlPlane.state()).toBe('up');
  expect(invalidate).toHaveBeenCalledTimes(1);
  stopRefreshing();
});

test('an ordinary refusal starts no probe', async () => {
  const server = startFakeServer({ status: () => new Refusal('tokenInvalid') });
  await call(endpoints.status, {}).catch(() => {});
  await vi.advanceTimersByTimeAsync(10_000);
  expect(controlPlane.state()).toBe('up');
  expect(server.callsOf('queryVersion')).toHaveLength(0);
});
