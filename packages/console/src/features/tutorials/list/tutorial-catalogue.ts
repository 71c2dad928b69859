import { tutorialVideos } from '@srs-stack/contract/constants.ts';
import type { Locale } from '../../../i18n/languages.ts';
import { type ByLocale, ofLocale } from '../../../i18n/of-locale.ts';

/** `bvid` identifies the video, whose title and counts the server fetches; `title` is the fallback. */
export interface Tutorial {
  media: 'video' | 'article';
  author: string;
  title: string;
  link: string;
  bvid?: string;
}

/** Month of the last catalogue review. The articles then had no public counts of views, likes or shares. */
export const catalogueDate = '2026-11';

const videoOf = (bvid: string) => ({ media: 'video', bvid, link: `https://www.bilibili.com/video/${bvid}/` }) as const;
const articleOf = (link: string) => ({ media: 'article', author: 'SRS', link }) as const;
const chinese = 'https://ossrs.net/lts/zh-cn/blog';
const english = 'https://blog.ossrs.io';

const zh: readonly Tutorial[] = [
  { ...videoOf(tutorialVideos.start), author: 'SRS', title: '起步、购买和入门' },
  { ...videoOf(tutorialVideos.https), author: '程晓龙', title: '如何一键 HTTPS' },
  { ...articleOf(`${chinese}/WordPress-Plugin`), title: '如何用 WordPress 做直播网站' },
  { ...articleOf(`${chinese}/Oryx-HTTPS`), title: '如何开启 HTTPS' },
  { ...articleOf(`${chinese}/Live-Transcoding`), title: '如何用直播转码降低带宽' },
  { ...articleOf(`${chinese}/Stream-IP-Camera-Events`), title: '如何把网络摄像头直播到平台' },
];

const en: readonly Tutorial[] = [
  {
    ...articleOf(`${english}/how-to-setup-a-video-streaming-service-by-1-click-e9fe6f314ac6`),
    title: 'How to set up a video streaming service',
  },
  {
    ...articleOf(`${english}/how-to-secure-srs-with-lets-encrypt-by-1-click-cb618777639f`),
    title: "How to secure it with Let's Encrypt",
  },
  {
    ...articleOf(`${english}/publish-your-srs-livestream-through-wordpress-ec18dfae7d6f`),
    title: 'Publish your live stream through WordPress',
  },
  {
    ...articleOf(`${english}/how-to-record-live-streaming-to-mp4-file-2aa792c35b25`),
    title: 'How to record live streaming to an MP4 file',
  },
  {
    ...articleOf(`${english}/easily-stream-your-rtsp-ip-camera-to-youtube-twitch-or-facebook-c078db917149`),
    title: 'Stream your IP camera to YouTube, Twitch or Facebook',
  },
  {
    ...articleOf(
      `${english}/efficient-live-streaming-transcoding-for-reducing-bandwidth-and-saving-costs-39bd001af02d`,
    ),
    title: 'Transcode live streams to save bandwidth',
  },
];

const tutorials: ByLocale<readonly Tutorial[]> = { zh, en };

export function tutorialsOf(locale: Locale): readonly Tutorial[] {
  return ofLocale(tutorials, locale);
}
