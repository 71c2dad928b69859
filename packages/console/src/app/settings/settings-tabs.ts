// The tabs of the settings page: groups, icons, and the page that each opens.
import {
  IconApi,
  IconBellRinging,
  IconBucket,
  IconDeviceTv,
  IconDeviceTvOff,
  IconEyeCheck,
  IconGauge,
  IconKey,
  IconLock,
  IconRoute2,
  IconServerCog,
  IconSignature,
  IconTopologyStar3,
  IconUserShield,
  IconWaveSawTool,
} from '@tabler/icons-react';
import { lazyScreen } from '../../shared/lazy-screen.ts';

/** Sorted by group. */
export const settingsTabs = [
  'auth',
  'keys',
  'watch',
  'hls',
  'slate',
  'page',
  'https',
  'proxy',
  'callback',
  'api',
  'storage',
  'limit',
  'cluster',
  'platform',
  'beian',
] as const;
export type SettingsTab = (typeof settingsTabs)[number];

export const settingsGroups = ['access', 'delivery', 'connect', 'system'] as const;
export type SettingsGroup = (typeof settingsGroups)[number];

export const groupOfTab: Readonly<Record<SettingsTab, SettingsGroup>> = {
  auth: 'access',
  keys: 'access',
  watch: 'access',
  hls: 'delivery',
  slate: 'delivery',
  page: 'delivery',
  https: 'delivery',
  proxy: 'delivery',
  callback: 'connect',
  api: 'connect',
  storage: 'connect',
  limit: 'system',
  cluster: 'system',
  platform: 'system',
  beian: 'system',
};

export const settingsIcons = {
  auth: IconKey,
  https: IconLock,
  hls: IconWaveSawTool,
  slate: IconDeviceTvOff,
  beian: IconSignature,
  callback: IconBellRinging,
  page: IconDeviceTv,
  watch: IconEyeCheck,
  keys: IconUserShield,
  storage: IconBucket,
  cluster: IconTopologyStar3,
  api: IconApi,
  limit: IconGauge,
  proxy: IconRoute2,
  platform: IconServerCog,
} as const satisfies Record<SettingsTab, unknown>;

export const settingsPages = {
  auth: lazyScreen(
    () => import('../../features/settings/publish-secret/publish-secret-page.tsx'),
    ['publish-secret', 'settings-form'],
  ),
  https: lazyScreen(() => import('../../features/settings/certificates/certificates-page.tsx'), ['certificates']),
  hls: lazyScreen(() => import('../../features/settings/hls-settings/hls-settings-page.tsx'), ['hls-settings']),
  slate: lazyScreen(() => import('../../features/settings/slates/slates-page.tsx'), ['slates', 'settings-form']),
  beian: lazyScreen(() => import('../../features/settings/beian/beian-page.tsx'), ['beian', 'settings-form']),
  callback: lazyScreen(() => import('../../features/settings/hooks/hooks-page.tsx'), ['hooks', 'settings-form']),
  page: lazyScreen(
    () => import('../../features/settings/watch-page/watch-page-page.tsx'),
    ['watch-page', 'settings-form'],
  ),
  watch: lazyScreen(() => import('../../features/settings/watching/watching-page.tsx'), ['watching', 'settings-form']),
  keys: lazyScreen(() => import('../../features/settings/stream-keys/stream-keys-page.tsx'), ['stream-keys']),
  storage: lazyScreen(
    () => import('../../features/settings/object-storage/object-storage-page.tsx'),
    ['object-storage', 'bucket', 'settings-form'],
  ),
  cluster: lazyScreen(() => import('../../features/settings/cluster/cluster-page.tsx'), ['cluster']),
  api: lazyScreen(() => import('../../features/settings/openapi/openapi-page.tsx'), ['openapi']),
  limit: lazyScreen(() => import('../../features/settings/limits/limits-page.tsx'), ['limits', 'settings-form']),
  proxy: lazyScreen(
    () => import('../../features/settings/web-front/web-front-page.tsx'),
    ['web-front', 'settings-form'],
  ),
  platform: lazyScreen(
    () => import('../../features/settings/platform/platform-page.tsx'),
    ['platform', 'settings-form'],
  ),
} as const satisfies Record<SettingsTab, unknown>;
