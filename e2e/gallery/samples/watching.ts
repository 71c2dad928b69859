import type { endpoints, ResponseOf } from '@srs-stack/contract';
import { revision } from './revision.ts';

type Watching = ResponseOf<(typeof endpoints)['queryWatching']>;
type StreamKeys = ResponseOf<(typeof endpoints)['queryStreamKeys']>;

type Looks = ResponseOf<(typeof endpoints)['queryWatchPages']>;

const plain = { name: '', text: '', picture: '', logo: '', accent: '', theme: '', audience: '', startsAt: '' } as const;
export const noLooks: Looks = { looks: [], revision };
export const looks: Looks = {
  looks: [
    { ...plain, pattern: 'live/gala', name: '新年晚会', startsAt: '2026-12-31T20:00:00+08:00', audience: 'hidden' },
    {
      ...{ ...plain, pattern: '*', name: 'City TV', text: 'All about the city, day and night.' },
      ...{ picture: `${'3f'.repeat(16)}.jpg`, logo: `${'a7'.repeat(16)}.png`, accent: '#1d5fa8', theme: 'dark' },
    },
  ],
  revision,
};

export const open: Watching = { rules: [], keys: [], renewalSeconds: 10, viewerReports: true, revision };

export const ruled: Watching = {
  rules: [
    { pattern: 'live/board-meeting', mode: 'password', hasPassword: true },
    { pattern: 'live/customers-*', mode: 'verdict', hasPassword: false },
    { pattern: 'paid/*', mode: 'signed', hasPassword: false },
  ],
  keys: [
    { id: 'k1', last4: '9f3c', createdAt: '2026-02-11T09:30:00+08:00' },
    { id: 'k2', last4: '07be', createdAt: '2026-03-01T16:05:00+08:00' },
  ],
  renewalSeconds: 10,
  viewerReports: true,
  revision,
};

/** May 2026. */
const expiresAt = 1_778_000_000;
export const link = { query: `watch=k2.${expiresAt}.${'7c41d0ab'.repeat(8)}`, expiresAt, keyId: 'k2' };

export const noStreamKeys: StreamKeys = { keys: [] };

export const streamKeys: StreamKeys = {
  keys: [
    {
      ...{ id: '1a2b3c4d', name: 'Studio 1', pattern: 'live/*', secret: 'sk-1a2b3c4d-8d1f0c7e25b94a63' },
      ...{ createdAt: '2026-02-11T09:30:00+08:00', expiresAt: null },
      lastUse: { at: '2026-03-08T19:58:12+08:00', app: 'live', stream: 'main-stage', ip: '203.0.113.7' },
    },
    {
      ...{ id: '5e6f7a8b', name: '外景车', pattern: 'live/outdoor', secret: 'sk-5e6f7a8b-03be77d1f94c2a58' },
      ...{ createdAt: '2026-03-01T16:05:00+08:00', expiresAt: '2026-04-01T00:00:00+08:00', lastUse: null },
    },
    {
      ...{ id: '9c0d1e2f', name: 'Guest of February', pattern: 'live/guest', secret: 'sk-9c0d1e2f-b61f4e0a7d2395c8' },
      ...{ createdAt: '2026-02-01T10:00:00+08:00', expiresAt: '2026-03-01T00:00:00+08:00', lastUse: null },
    },
  ],
};
