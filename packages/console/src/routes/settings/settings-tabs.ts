// The tabs of the settings page: their signs and what each opens.
import { IconApi, IconBellRinging, IconKey, IconLock, IconSignature, IconWaveSawTool } from '@tabler/icons-react';
import { lazyScreen } from '../../app/lazy-screen.ts';

export const settingsTabs = ['auth', 'https', 'hls', 'beian', 'callback', 'api'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

export const settingsIcons = {
  auth: IconKey,
  https: IconLock,
  hls: IconWaveSawTool,
  beian: IconSignature,
  callback: IconBellRinging,
  api: IconApi,
} as const satisfies Record<SettingsTab, unknown>;

export const settingsPages = {
  auth: lazyScreen(() => import('../../features/settings-auth/auth-page.tsx'), ['settings-auth']),
  https: lazyScreen(() => import('../../features/settings-https/https-page.tsx'), ['settings-https']),
  hls: lazyScreen(() => import('../../features/settings-hls/hls-page.tsx'), ['settings-hls']),
  beian: lazyScreen(() => import('../../features/settings-beian/beian-page.tsx'), ['settings-beian']),
  callback: lazyScreen(() => import('../../features/settings-callback/callback-page.tsx'), ['settings-callback']),
  api: lazyScreen(() => import('../../features/settings-api/api-page.tsx'), ['settings-api']),
} as const satisfies Record<SettingsTab, unknown>;
