// Texts of the publisher page, which loads no framework. Both languages have the same keys by type.
import type { Locale } from '@srs-stack/contract';
import { type ByLocale, ofLocale } from '../../i18n/of-locale.ts';
import type { CaptureProblemKind, PictureSource } from './capture.ts';
import type { RtcAddressProblem } from './rtc-address.ts';
import type { RtcProblemKind } from './rtc-problem.ts';

type Message = [title: string, advice: string];

const zh = {
  title: 'WebRTC 推流',
  stream: '流',
  state: {
    idle: '未推流',
    connecting: '连接中',
    live: '直播中',
    waiting: '重试中',
    failed: '出错',
  },
  retryIn: (seconds: number) => `${seconds} 秒后自动重连`,
  preview: '预览',
  previewEmpty: [
    '还没有画面',
    '点击“预览”看看效果，或直接“开始推流”。浏览器会询问是否允许使用摄像头和麦克风。',
  ] as Message,
  soundOnly: ['只推声音', '观众听得到声音，没有画面。'] as Message,
  mirror: '镜像预览',
  source: '画面来源',
  picture: { camera: '摄像头', screen: '共享屏幕', none: '只有声音' } satisfies Record<PictureSource, string>,
  camera: '摄像头',
  microphone: '麦克风',
  defaultDevice: '默认设备',
  noMicrophone: '不使用麦克风',
  namelessCamera: (n: number) => `摄像头 ${n}`,
  namelessMicrophone: (n: number) => `麦克风 ${n}`,
  size: '分辨率',
  bitrate: '码率',
  recommended: (kbps: number) => `推荐 ${kbps} kbps`,
  naturalSound: '原声（立体声，不降噪）',
  naturalSoundHint: '适合音乐；用扬声器外放时请关闭，否则会有回声。',
  level: '音量',
  start: '开始推流',
  stop: '停止推流',
  watch: '打开播放页',
  copyWatch: '复制播放链接',
  copied: '已复制播放链接',
  copyFailed: '复制失败，请手动复制：',
  figures: '推流数据',
  duration: '已推流',
  video: '视频',
  audio: '音频',
  frameRate: '帧率',
  sent: '发送码率',
  roundTrip: '往返时间',
  loss: '丢包',
  limitation: '画质受限',
  limitedBy: { cpu: '电脑性能不足', bandwidth: '上行带宽不足', other: '其他原因' } as Record<string, string>,
  problem: {
    unauthorized: ['推流密码不对', '请从控制台重新复制推流页面的链接，完整打开。'],
    refused: ['服务器拒绝推流', '服务器的回调规则不允许这次推流。'],
    busy: ['这路流已有人在推', '请先停掉另一个推流端，或在控制台换一个流名称。'],
    codec: [
      '编码不支持',
      '服务器需要 H.264 画面和 Opus 声音。请换用支持 H.264 的浏览器，例如 Chrome、Edge、Safari。Firefox 需要 OpenH264 插件：在“附加组件 → 插件”里启用后重新打开本页。',
    ],
    invalid: ['服务器不接受这次推流', '请检查链接里的地址和流名称。'],
    unavailable: ['服务器暂时无法应答', '可能正在重启，稍后会自动重连。'],
    network: ['连不上服务器', '请检查网络。服务器恢复后会自动重连。'],
    'media-path': [
      '媒体数据连不通',
      '服务器有应答，但 UDP 数据不通。请在服务器防火墙放行 WebRTC 的 UDP 端口（默认 8000）。',
    ],
    lost: ['连接中断', '网络恢复后会自动重连。'],
    ended: ['服务器断开了推流', '可能是服务器重启，或管理员断开了推流。会自动重连。'],
    browser: ['浏览器不支持 WebRTC', '请更新浏览器，或换用 Chrome、Edge、Safari。'],
  } satisfies Record<RtcProblemKind, Message>,
  capture: {
    insecure: ['需要 HTTPS', '浏览器只允许 HTTPS 页面使用摄像头和麦克风。请用 https:// 打开本页。'],
    denied: ['没有权限', '请在浏览器地址栏允许本页使用摄像头和麦克风，并检查系统的隐私设置，然后再试。'],
    'no-device': ['没有找到设备', '请接上摄像头或麦克风，或改选其他来源。'],
    'in-use': ['设备被占用', '请关闭正在使用摄像头或麦克风的其他程序，然后再试。'],
    cancelled: ['没有选择要共享的屏幕', '请再点一次，然后选择屏幕或窗口。'],
    unsupported: ['浏览器不支持共享屏幕', '手机浏览器一般不支持，请用电脑，或改用摄像头。'],
    other: ['无法使用设备', '请刷新页面再试。'],
  } satisfies Record<CaptureProblemKind, Message>,
  ended: ['设备已断开或停止共享', '请重新选择来源，然后再试。'] as Message,
  addressProblem: {
    invalid: ['推流地址无效', '请从控制台重新复制推流页面的链接。'],
    scheme: ['不支持的协议', '推流地址须是 http、https 或 webrtc 地址。'],
    'mixed-content': ['浏览器会拦截该地址', '当前页面是 https，推流地址也必须是 https。'],
  } satisfies Record<RtcAddressProblem, Message>,
  openSecure: '用 HTTPS 打开',
};

const en: typeof zh = {
  title: 'WebRTC publisher',
  stream: 'Stream',
  state: {
    idle: 'Idle',
    connecting: 'Connecting',
    live: 'Live',
    waiting: 'Retrying',
    failed: 'Error',
  },
  retryIn: (seconds: number) => `Next try in ${seconds} s`,
  preview: 'Preview',
  previewEmpty: [
    'No picture yet',
    'Press Preview to see yourself first, or Go live at once. The browser asks for the camera and the microphone.',
  ],
  soundOnly: ['Sound only', 'Viewers hear you; there is no picture.'],
  mirror: 'Mirror the preview',
  source: 'Picture',
  picture: { camera: 'Camera', screen: 'Screen', none: 'Sound only' },
  camera: 'Camera',
  microphone: 'Microphone',
  defaultDevice: 'Default device',
  noMicrophone: 'No microphone',
  namelessCamera: (n: number) => `Camera ${n}`,
  namelessMicrophone: (n: number) => `Microphone ${n}`,
  size: 'Resolution',
  bitrate: 'Bitrate',
  recommended: (kbps: number) => `Auto ${kbps} kbps`,
  naturalSound: 'Natural sound (stereo, no noise reduction)',
  naturalSoundHint: 'For music. Leave it off with loudspeakers, or there will be an echo.',
  level: 'Sound level',
  start: 'Go live',
  stop: 'Stop',
  watch: 'Open the player',
  copyWatch: 'Copy the play link',
  copied: 'Play link copied',
  copyFailed: 'Copying failed, please copy by hand: ',
  figures: 'Figures of the publication',
  duration: 'Live for',
  video: 'Video',
  audio: 'Audio',
  frameRate: 'Frame rate',
  sent: 'Bitrate',
  roundTrip: 'Round trip',
  loss: 'Loss',
  limitation: 'Quality limited by',
  limitedBy: { cpu: 'this computer', bandwidth: 'the uplink', other: 'something else' },
  problem: {
    unauthorized: [
      'Wrong publish secret',
      'Copy the link of the publisher page from the console again, and open all of it.',
    ],
    refused: ['The server refused to publish', 'A callback rule of the server does not allow this stream.'],
    busy: [
      'Somebody else publishes this stream',
      'Stop the other publisher first, or choose another stream name in the console.',
    ],
    codec: [
      'Codec not supported',
      'The server takes H.264 and Opus. Use a browser that sends H.264, such as Chrome, Edge or Safari. Firefox needs its OpenH264 plug-in: switch it on under Add-ons, Plugins, then open this page again.',
    ],
    invalid: ['The server does not accept this', 'Check the address and the stream name in the link.'],
    unavailable: ['The server cannot answer right now', 'It may be restarting; the page connects again by itself.'],
    network: ['Cannot reach the server', 'Check the network; the page connects again by itself.'],
    'media-path': [
      'No way for the media',
      'The server answered, but nothing gets through over UDP. Open the WebRTC port of the server (UDP 8000 by default).',
    ],
    lost: ['The connection broke', 'The page connects again by itself.'],
    ended: [
      'The server ended the stream',
      'It may be restarting, or an operator disconnected you. The page connects again by itself.',
    ],
    browser: ['This browser has no WebRTC', 'Update it, or use Chrome, Edge or Safari.'],
  },
  capture: {
    insecure: [
      'HTTPS is required',
      'Browsers give the camera and the microphone to HTTPS pages only. Open this page with https://.',
    ],
    denied: [
      'No permission',
      'Allow the camera and the microphone in the address bar, check the privacy settings of the system, then try again.',
    ],
    'no-device': ['No device found', 'Plug in a camera or a microphone, or choose another source.'],
    'in-use': ['The device is in use', 'Close the program that uses the camera or the microphone, then try again.'],
    cancelled: ['No screen was chosen', 'Press again and choose a screen or a window.'],
    unsupported: ['This browser cannot share the screen', 'Phones usually cannot. Use a computer, or the camera.'],
    other: ['The device cannot be used', 'Reload the page and try again.'],
  },
  ended: ['The device is gone or sharing was stopped', 'Choose a source again, then try again.'],
  addressProblem: {
    invalid: ['The publish address is not valid', 'Copy the link of the publisher page from the console again.'],
    scheme: ['Protocol not supported', 'The publish address must be http, https or webrtc.'],
    'mixed-content': [
      'The browser would block this address',
      'This page is https, so the publish address must be https.',
    ],
  },
  openSecure: 'Open over HTTPS',
};

export type WhipTexts = typeof zh;

const texts: ByLocale<WhipTexts> = { zh, en };

export function whipTexts(locale: Locale): WhipTexts {
  return ofLocale(texts, locale);
}
