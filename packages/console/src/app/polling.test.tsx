// Every list that the specification polls is requested again ten seconds after the previous response, not earlier.
import { type EndpointName, pollIntervalMs, storageKeys } from '@srs-stack/contract';
import { act } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { startFakeServer, testSession } from '../testing/fake-server.ts';
import { renderApp } from '../testing/render-app.tsx';
import { idleTranscode } from '../testing/worker-fixture.ts';

beforeEach(() => localStorage.setItem(storageKeys.token, JSON.stringify(testSession)));

const noTotals = { count: 0, recording: 0, duration: 0, size: 0 };

const startServer = () =>
  startFakeServer({
    vliveSecret: () => ({}),
    vliveStreams: () => [],
    queryLibrary: () => ({ files: [], freeBytes: 1, maxFileBytes: 1 }),
    queryTranscode: () => ({
      ...{ all: false, vcodec: '', acodec: '', vbitrate: 0, abitrate: 0 },
      ...{ achannels: 0, vprofile: '', vpreset: '', server: '', secret: '' },
    }),
    queryTranscodeTask: () => idleTranscode,
    queryRecord: () => ({
      all: true,
      home: '/data/record',
      directory: '/srv/srs-stack/data/record',
      globs: [],
      processCpDir: '',
    }),
    queryRecordFiles: () => [],
    queryRecordStatus: () => ({
      totals: noTotals,
      matching: noTotals,
      disk: { state: 'ok', freeBytes: 2, totalBytes: 4, reserveBytes: 1 },
    }),
    queryRecordBin: () => [],
    queryRecordRetention: () => ({ keepDays: 0, maxBytes: 0, removals: [] }),
    queryDvr: () => ({ all: true, secret: true }),
    queryVod: () => ({ all: true, secret: true, service: true, storage: true }),
    queryDvrFiles: () => [],
    queryVodFiles: () => [],
    queryCloudAccount: () => ({ secretId: '', bucket: '', region: '', application: '', storageRegion: '' }),
    queryHooks: () => ({ all: false, target: '', opaque: '', host: '', req: '', res: '', revision: 1 }),
    queryHookDeliveries: () => ({ deliveries: [] }),
  });

/** Waits until the call was made and its response has changed the page. Without the call, the test times out. */
async function settledAt(callCount: () => number, times: number): Promise<void> {
  while (callCount() < times) await act(() => new Promise((resolve) => setTimeout(resolve, 5)));
  await act(() => new Promise((resolve) => setTimeout(resolve)));
  expect(callCount()).toBe(times);
}

test.each<[EndpointName, string]>([
  ['vliveStreams', '/en/routers-scenario?tab=vlive'],
  ['queryTranscodeTask', '/en/routers-scenario?tab=transcode'],
  ['queryRecordFiles', '/en/routers-scenario?tab=record'],
  ['queryDvrFiles', '/zh/routers-scenario?tab=others&ctab=deprecated&dtab=dvr'],
  ['queryVodFiles', '/zh/routers-scenario?tab=others&ctab=deprecated&dtab=vod'],
  ['queryHooks', '/en/routers-settings?tab=callback'],
])('%s is polled every ten seconds', async (name, url) => {
  const server = startServer();
  const callCount = () => server.callsOf(name).length;
  // Only intervals are faked: the code of a page loads in real time.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  await renderApp(url, url.startsWith('/zh') ? 'zh' : 'en');
  await settledAt(callCount, 1);
  await act(() => vi.advanceTimersByTimeAsync(pollIntervalMs - 1));
  expect(callCount()).toBe(1);
  for (const times of [2, 3, 4]) {
    await act(() => vi.advanceTimersByTimeAsync(times === 2 ? 1 : pollIntervalMs));
    await settledAt(callCount, times);
  }
});
