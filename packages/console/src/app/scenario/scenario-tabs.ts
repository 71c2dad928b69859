// The tabs of the scenario page: icons, and the page that each opens.
import {
  IconBroadcast,
  IconCalendarTime,
  IconDeviceCctv,
  IconDots,
  IconMovie,
  IconPlayerRecord,
  IconSchool,
  IconShare3,
  IconStairs,
  IconTransform,
} from '@tabler/icons-react';
import { lazyScreen } from '../../shared/lazy-screen.ts';

export const scenarioTabs = [
  'tutorials',
  'live',
  'forward',
  'record',
  'vlive',
  'channel',
  'camera',
  'transcode',
  'ladder',
  'others',
] as const;
export type ScenarioTab = (typeof scenarioTabs)[number];

export const scenarioIcons = {
  tutorials: IconSchool,
  live: IconBroadcast,
  forward: IconShare3,
  record: IconPlayerRecord,
  vlive: IconMovie,
  channel: IconCalendarTime,
  camera: IconDeviceCctv,
  transcode: IconTransform,
  ladder: IconStairs,
  others: IconDots,
} as const satisfies Record<ScenarioTab, unknown>;

export const scenarioPages = {
  tutorials: lazyScreen(() => import('../../features/tutorials/tutorials-page.tsx'), ['tutorials', 'worker', 'errors']),
  live: lazyScreen(() => import('../../features/live/live-page.tsx'), ['live', 'stream-health', 'streams']),
  forward: lazyScreen(() => import('../../features/forwards/forwards-page.tsx'), ['forwards', 'push-target', 'worker']),
  record: lazyScreen(() => import('../../features/records/records-page.tsx'), ['records', 'recording', 'bucket']),
  vlive: lazyScreen(
    () => import('../../features/vlives/vlives-page.tsx'),
    ['vlives', 'push-target', 'worker', 'errors'],
  ),
  channel: lazyScreen(() => import('../../features/channels/channels-page.tsx'), ['channels', 'errors']),
  camera: lazyScreen(() => import('../../features/cameras/cameras-page.tsx'), ['cameras', 'worker', 'errors']),
  transcode: lazyScreen(
    () => import('../../features/transcode/transcode-page.tsx'),
    ['transcode', 'push-target', 'worker'],
  ),
  ladder: lazyScreen(() => import('../../features/ladder/ladder-page.tsx'), ['ladder', 'worker', 'errors']),
  others: lazyScreen(() => import('./others-tab.tsx'), ['cloud-recording', 'recording', 'live', 'srt-guide']),
} as const satisfies Record<ScenarioTab, unknown>;
