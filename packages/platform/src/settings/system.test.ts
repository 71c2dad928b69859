import { expect, it } from 'vitest';
import type { Store } from '../store/store.ts';
import { createSystem } from './system.ts';

it('unauthenticated calls with any locale cause no disk writes beyond the rate limit', async () => {
  const written: unknown[] = [];
  let nowMs = 1_000_000;
  const store = {
    get: async () => written.at(-1) ?? '',
    set: async (_type: object, value: unknown) => void written.push(value),
  } as unknown as Store;
  const system = createSystem({
    store,
    publishSecret: { current: () => ({ publish: 'secret' }) } as never,
    facts: {
      version: '1.0.0',
      shownPorts: { rtmp: '', http: '', rtsp: '', srt: '', rtc: '' },
      hasCandidate: false,
      isInDocker: false,
      taskLimits: { forward: 1, vlive: 1, camera: 1 },
    },
    boundPorts: async () => undefined,
    now: () => new Date(nowMs),
    upgrades: {} as never,
  });
  for (let i = 0; i < 100; i++) await system.environment(i % 2 === 0 ? 'en' : 'zh');
  expect(written).toEqual(['en']);
  nowMs += 60_000;
  await system.environment('xx');
  await system.environment('zh');
  expect(written).toEqual(['en', 'un']);
});
