// The platforms to forward to, as data: names, addresses and where to find the stream key. The three built-in keys mean
// different platforms in other languages. Backup addresses are last in the list.
import type { builtInPlatforms, Locale } from '@srs-stack/contract';
import { type ByLocale, ofLocale } from '../../i18n/of-locale.ts';

export type BuiltInPlatform = (typeof builtInPlatforms)[number];
export type PlatformLogo = 'youtube' | 'twitch' | 'facebook' | 'channels' | 'bilibili' | 'kuaishou';

export interface PlatformPreset {
  logo: PlatformLogo;
  name: string;
  servers: readonly { name: string; url: string }[];
  /** Default while nothing was saved. */
  isPrefilled: boolean;
  /** Endings of the host names of its servers, to recognise an address. */
  hosts: readonly string[];
  /** How to find address and key: page of the platform, and the way there. */
  keyPage: string;
  keySteps: readonly string[];
}

const english: Record<BuiltInPlatform, PlatformPreset> = {
  wx: {
    logo: 'youtube',
    name: 'YouTube',
    servers: [
      { name: 'Encrypted (RTMPS)', url: 'rtmps://a.rtmps.youtube.com:443/live2/' },
      { name: 'Plain (RTMP)', url: 'rtmp://a.rtmp.youtube.com/live2/' },
      { name: 'Backup', url: 'rtmp://b.rtmp.youtube.com/live2?backup=1' },
    ],
    isPrefilled: false,
    hosts: ['youtube.com'],
    keyPage: 'https://studio.youtube.com',
    keySteps: [
      'In YouTube Studio choose Create, then Go live. The first time, YouTube takes up to 24 hours to allow it.',
      'Choose Stream. The Stream URL goes into Server, the Stream key below it.',
      'Keep the page open: it shows when the picture arrives.',
    ],
  },
  bilibili: {
    logo: 'twitch',
    name: 'Twitch',
    servers: [
      { name: 'Nearest (RTMP)', url: 'rtmp://live.twitch.tv/app/' },
      { name: 'Nearest, encrypted (RTMPS)', url: 'rtmps://ingest.global-contribute.live-video.net:443/app/' },
    ],
    isPrefilled: true,
    hosts: ['twitch.tv', 'live-video.net'],
    keyPage: 'https://dashboard.twitch.tv/settings/stream',
    keySteps: [
      'In the Creator Dashboard open Settings, then Stream.',
      'Copy the Primary Stream key. The server above fits every channel.',
    ],
  },
  kuaishou: {
    logo: 'facebook',
    name: 'Facebook',
    servers: [{ name: 'Encrypted (RTMPS)', url: 'rtmps://live-api-s.facebook.com:443/rtmp/' }],
    isPrefilled: true,
    hosts: ['facebook.com'],
    keyPage: 'https://www.facebook.com/live/producer',
    keySteps: [
      'In Live Producer choose Streaming software as the video source.',
      'Copy the Stream key. Switch on the persistent key, else it changes with every broadcast.',
    ],
  },
};

const chinese: Record<BuiltInPlatform, PlatformPreset> = {
  wx: {
    logo: 'channels',
    name: '视频号',
    servers: [],
    isPrefilled: false,
    hosts: ['finder.video.qq.com', 'weixin.qq.com'],
    keyPage: 'https://channels.weixin.qq.com/platform/live/liveBuild',
    keySteps: [
      '在电脑上打开视频号助手，进入“直播”，选择“推流直播”，创建直播。',
      '复制页面给出的推流地址和推流密钥，分别填到这里。',
      '每次开播的地址和密钥都会变化，开播前请重新复制。',
    ],
  },
  bilibili: {
    logo: 'bilibili',
    name: '哔哩哔哩',
    servers: [{ name: '默认', url: 'rtmp://live-push.bilivideo.com/live-bvc/' }],
    isPrefilled: false,
    hosts: ['bilivideo.com'],
    keyPage: 'https://link.bilibili.com/p/center/index#/my-room/start-live',
    keySteps: [
      '打开直播中心的“开播设置”，选择分区后点击“开始直播”。',
      '复制“服务器地址”和“串流密钥”，密钥以 ? 开头，请完整复制。',
    ],
  },
  kuaishou: {
    logo: 'kuaishou',
    name: '快手',
    servers: [{ name: '默认', url: 'rtmp://open-push.voip.yximgs.com/gifshow/' }],
    isPrefilled: false,
    hosts: ['yximgs.com'],
    keyPage: 'https://studio.kuaishou.com/live/list',
    keySteps: ['打开快手直播管理，创建一场直播。', '复制“推流地址”和“流密钥”，分别填到这里。'],
  },
};

const presets = { en: english, zh: chinese } satisfies ByLocale<Record<BuiltInPlatform, PlatformPreset>>;

/** The platforms of a language by their internal key. */
export function platformPresets(locale: Locale): Record<BuiltInPlatform, PlatformPreset> {
  return ofLocale(presets, locale);
}

/** The platform an address belongs to, whichever language names it; undefined for other servers. */
export function presetOfServer(server: string, locale: Locale): PlatformPreset | undefined {
  const host = /^[a-z]+:\/\/([^/:?#]+)/i.exec(server.trim())?.[1]?.toLowerCase();
  if (host === undefined) return undefined;
  const known = [
    ...Object.values(platformPresets(locale)),
    ...Object.values(presets).flatMap((all) => Object.values(all)),
  ];
  return known.find(({ hosts }) => hosts.some((ending) => host === ending || host.endsWith(`.${ending}`)));
}
