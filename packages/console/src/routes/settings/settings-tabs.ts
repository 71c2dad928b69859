// The tabs of the settings page: their signs and what each opens.
import {
  IconApi,
  IconBellRinging,
  IconGauge,
  IconKey,
  IconLock,
  IconRoute2,
  IconServerCog,
  IconSignature,
  IconWaveSawTool,
} from '@tabler/icons-react';
import { lazyScreen } from '../../app/lazy-screen.ts';

export const settingsTabs = ['auth', 'https', 'hls', 'beian', 'callback', 'api', 'limit', 'proxy', 'platform'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

export const settingsIcons = {
  auth: IconKey,
  https: IconLock,
  hls: IconWaveSawTool,
  beian: IconSignature,
  callback: IconBellRinging,
  api: IconApi,
  limit: IconGauge,
  proxy: IconRoute2,
  platform: IconServerCog,
} as const satisfies Record<SettingsTab, unknown>;

export const settingsPages = {
  auth: lazyScreen(() => import('../../features/settings-auth/auth-page.tsx'), ['settings-auth', 'settings-form']),
  https: lazyScreen(() => import('../../features/settings-https/https-page.tsx'), ['settings-https']),
  hls: lazyScreen(() => import('../../features/settings-hls/hls-page.tsx'), ['settings-hls']),
  beian: lazyScreen(() => import('../../features/settings-beian/beian-page.tsx'), ['settings-beian', 'settings-form']),
  callback: lazyScreen(
    () => import('../../features/settings-callback/callback-page.tsx'),
    ['settings-callback', 'settings-form'],
  ),
  api: lazyScreen(() => import('../../features/settings-api/api-page.tsx'), ['settings-api']),
  limit: lazyScreen(() => import('../../features/settings-limit/limit-page.tsx'), ['settings-limit', 'settings-form']),
  proxy: lazyScreen(() => import('../../features/settings-proxy/proxy-page.tsx'), ['settings-proxy', 'settings-form']),
  platform: lazyScreen(
    () => import('../../features/settings-platform/platform-page.tsx'),
    ['settings-platform', 'settings-form'],
  ),
} as const satisfies Record<SettingsTab, unknown>;
