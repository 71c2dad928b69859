// Texts of the stand-alone player pages, which load no framework. Both languages have the same keys by type.
import type { Locale } from '@srs-stack/contract';
import { type ByLocale, ofLocale } from '../i18n/of-locale.ts';
import { codecName } from './codec-name.ts';
import type { MediaUrlProblem } from './media-url.ts';
import type { LatencyMeasure, PlaybackProblem } from './playback.ts';

const zh = {
  simpleTitle: '简易播放器',
  alternateTitle: '备用播放器',
  srsTitle: 'SRS 播放器',
  webrtcTitle: 'WebRTC 播放器',
  connecting: '正在连接…',
  waitingForEncoder: '等待推流画面…',
  stalled: '画面暂停，等待数据…',
  retryIn: (seconds: number) => `${seconds} 秒后自动重试`,
  retryNow: '立即重试',
  play: '播放',
  unmute: '打开声音',
  tryHls: '改用 HLS 播放',
  address: '播放地址',
  addressHint: '支持 .flv、.ts、.m3u8，协议 http、https、ws、wss；以及 WHEP 和 webrtc:// 地址',
  open: '播放',
  stop: '停止',
  copyLink: '复制分享链接',
  copied: '已复制分享链接',
  copyFailed: '复制失败，请手动复制：',
  idle: '输入播放地址，然后点击播放',
  video: '视频',
  audio: '音频',
  size: '分辨率',
  frameRate: '帧率',
  bitrate: '码率',
  roundTrip: '往返时间',
  loss: '丢包',
  jitterBuffer: '抖动缓冲',
  noVideo: '无画面',
  facts: '播放信息',
  problem: {
    'not-live': ['还没有开播', '推流开始后会自动播放。'],
    ended: ['直播已中断', '推流恢复后会自动继续播放。'],
    stalled: ['收不到数据', '推流端可能断开了，正在重新连接。'],
    network: ['连接失败', '请检查网络和播放地址。'],
    media: ['画面解码出错', '正在重新连接。'],
    'media-path': [
      '媒体数据连不通',
      '服务器有应答，但 UDP 数据不通。请在服务器防火墙放行 WebRTC 的 UDP 端口（默认 8000）。',
    ],
    'not-allowed': ['服务器拒绝播放', '请检查播放地址中的授权参数。'],
    codec: [
      '浏览器不支持该编码',
      '请换用支持该编码的浏览器，或让推流端改用 H.264 和 AAC。Firefox 用 WebRTC 播放 H.264 需要启用 OpenH264 插件。',
    ],
    browser: ['浏览器不支持该格式', '请更新浏览器，或改用 HLS 播放。'],
  } satisfies Record<PlaybackProblem['kind'], [string, string]>,
  urlProblem: {
    missing: ['没有播放地址', '请在地址后加上 ?url=播放地址。'],
    invalid: ['播放地址无效', '请检查地址是否完整。'],
    scheme: ['不支持的协议', '只能播放 http、https、ws、wss 地址。'],
    kind: ['不支持的格式', '地址应以 .flv、.ts 或 .m3u8 结尾，或者是 WHEP 地址。'],
    'socket-kind': ['不支持的组合', 'HLS 不能通过 WebSocket 播放，请使用 http 或 https 地址。'],
    'mixed-content': ['浏览器会拦截该地址', '当前页面是 https，播放地址也必须是 https 或 wss。'],
  } satisfies Record<MediaUrlProblem, [string, string]>,
  latency: {
    buffer: ['缓冲', '已收到但尚未显示的画面时长'],
    'live-edge': ['距最新', '画面落后于播放列表最新分片的时长'],
    'wall-clock': ['延迟', '画面落后于服务器写入时间的时长，以本机时钟为准'],
    'jitter-buffer': ['延迟', '画面落后于服务器的时长：抖动缓冲加上往返时间的一半'],
  } satisfies Record<LatencyMeasure['kind'], [string, string]>,
};

const en: typeof zh = {
  simpleTitle: 'Simple player',
  alternateTitle: 'Alternate player',
  srsTitle: 'SRS player',
  webrtcTitle: 'WebRTC player',
  connecting: 'Connecting…',
  waitingForEncoder: 'Waiting for the picture…',
  stalled: 'Paused, waiting for data…',
  retryIn: (seconds: number) => `Next try in ${seconds} s`,
  retryNow: 'Try now',
  play: 'Play',
  unmute: 'Turn sound on',
  tryHls: 'Play HLS instead',
  address: 'Stream address',
  addressHint: '.flv, .ts or .m3u8 over http, https, ws or wss; WHEP and webrtc:// addresses',
  open: 'Play',
  stop: 'Stop',
  copyLink: 'Copy share link',
  copied: 'Share link copied',
  copyFailed: 'Copying failed, please copy by hand: ',
  idle: 'Enter a stream address, then press Play',
  video: 'Video',
  audio: 'Audio',
  size: 'Resolution',
  frameRate: 'Frame rate',
  bitrate: 'Bitrate',
  roundTrip: 'Round trip',
  loss: 'Loss',
  jitterBuffer: 'Jitter buffer',
  noVideo: 'no picture',
  facts: 'Playback details',
  problem: {
    'not-live': ['Not live yet', 'The picture starts by itself when the stream does.'],
    ended: ['The stream was interrupted', 'The picture comes back by itself when the stream does.'],
    stalled: ['No data is arriving', 'The encoder may be gone. Connecting again.'],
    network: ['Cannot connect', 'Check the network and the stream address.'],
    media: ['The picture could not be decoded', 'Connecting again.'],
    'media-path': [
      'No way for the media',
      'The server answered, but nothing arrives over UDP. Open the WebRTC port of the server (UDP 8000 by default).',
    ],
    'not-allowed': ['The server refused to play', 'Check the authorisation in the stream address.'],
    codec: [
      'This browser cannot play the codec',
      'Use a browser that can, or let the encoder send H.264 and AAC. For H.264 over WebRTC, Firefox needs its OpenH264 plug-in.',
    ],
    browser: ['This browser cannot play the format', 'Update the browser, or play HLS instead.'],
  },
  urlProblem: {
    missing: ['No stream address', 'Add ?url= and the stream address to this page’s address.'],
    invalid: ['The stream address is not valid', 'Check that the address is complete.'],
    scheme: ['Protocol not supported', 'Only http, https, ws and wss addresses can be played.'],
    kind: ['Format not supported', 'The address should end in .flv, .ts or .m3u8, or be a WHEP address.'],
    'socket-kind': ['Combination not supported', 'HLS cannot be played over WebSocket; use an http or https address.'],
    'mixed-content': [
      'The browser would block this address',
      'This page is https, so the stream must be https or wss.',
    ],
  },
  latency: {
    buffer: ['Buffer', 'Media received but not shown yet'],
    'live-edge': ['Behind live', 'How far the picture is behind the newest segment of the playlist'],
    'wall-clock': ['Latency', 'How far the picture is behind the time the server stamped, by this device’s clock'],
    'jitter-buffer': ['Latency', 'How far the picture is behind the server: the jitter buffer and half a round trip'],
  },
};

export type PlayerTexts = typeof zh;

const texts: ByLocale<PlayerTexts> = { zh, en };

function isKnown(tag: string | undefined): tag is Locale {
  return tag !== undefined && Object.hasOwn(texts, tag);
}

/** The language of a viewer: the `lang` query when it names one of ours, else the browser's first that we have. */
export function viewerLocale(query: URLSearchParams, browserLanguages: readonly string[]): Locale {
  const wanted = [query.get('lang') ?? '', ...browserLanguages].map((tag) => tag.toLowerCase().split('-')[0]);
  return wanted.find(isKnown) ?? 'en';
}

export function playerTexts(locale: Locale): PlayerTexts {
  return ofLocale(texts, locale);
}

/** Title and advice for a playback problem, naming the codec when that is the reason. */
export function problemText(t: PlayerTexts, problem: PlaybackProblem): { title: string; advice: string } {
  const [title, advice] = t.problem[problem.kind];
  if (problem.kind === 'codec') return { title: `${title}: ${codecName(problem.codec)}`, advice };
  const detail = 'detail' in problem && problem.detail !== '' ? ` (${problem.detail})` : '';
  return { title: `${title}${detail}`, advice };
}

/** `Buffer 0.8 s` and what that means. */
export function latencyText(t: PlayerTexts, measure: LatencyMeasure): { text: string; meaning: string } {
  const [name, meaning] = t.latency[measure.kind];
  const value =
    measure.kind === 'jitter-buffer' ? `${Math.round(measure.seconds * 1000)} ms` : `${measure.seconds.toFixed(1)} s`;
  return { text: `${name} ${value}`, meaning };
}
