// Platforms to send to, 30 per language; the three built-in platforms come first. A server is listed only if all accounts use it. Backup
// servers are last.
import type { PlatformPreset } from './platform-preset.ts';

/** Steps that several platforms share. */
const copyBoth = 'Copy the server and the stream key from there. Paste each into its own field.';
const newEachTime = 'Server and key change with every broadcast: copy them again before you start.';
const onAir = 'The broadcast goes on air as soon as the stream arrives.';

export const englishPlatforms: readonly PlatformPreset[] = [
  {
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
  {
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
    // A documented suffix of Twitch that prevents the channel from going live.
    harmlessTest: { keySuffix: '?bandwidthtest=true' },
  },
  {
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
  pasted('Kick', 'kick', 'https://dashboard.kick.com', [], ['Open Settings, then Stream URL and key.', copyBoth]),
  pasted(
    'X',
    'x',
    'https://studio.x.com/producer/sources',
    ['pscp.tv'],
    [
      'In Media Studio open Producer, then Sources, and create an RTMP source.',
      copyBoth,
      'Create a broadcast with this source. It starts when you press Go live there.',
    ],
  ),
  {
    ...pasted(
      'Instagram',
      'instagram',
      'https://www.instagram.com',
      ['instagram.com'],
      ['On a computer choose Create, then Live video. It is available to professional accounts.', newEachTime],
    ),
    servers: [{ name: 'Encrypted (RTMPS)', url: 'rtmps://live-upload.instagram.com:443/rtmp/' }],
  },
  pasted(
    'TikTok',
    'tiktok',
    'https://www.tiktok.com/live/producer',
    ['tiktokcdn.com', 'tiktok.com'],
    ['Open LIVE Producer. It is available to accounts that may use streaming software.', copyBoth, newEachTime],
  ),
  pasted(
    'LinkedIn Live',
    'linkedin',
    'https://www.linkedin.com/video/golive/',
    ['linkedin.com', 'channel.media.azure.net'],
    ['Create a live event and choose Use custom stream (RTMP).', copyBoth, newEachTime],
  ),
  pasted(
    'Vimeo',
    'vimeo',
    'https://vimeo.com/manage/events',
    ['vimeo.com'],
    ['Create an event and choose Connect encoder (RTMP).', copyBoth],
  ),
  pasted(
    'Rumble',
    'other',
    'https://studio.rumble.com',
    ['rumble.com'],
    ['Create a live stream and choose streaming software.', copyBoth, newEachTime],
  ),
  listed('Trovo', 'https://studio.trovo.live/stream', 'rtmp://livepush.trovo.live/live/', 'trovo.live', [
    'Open the Creator Studio, then Stream settings.',
    'Copy the stream key.',
  ]),
  listed('DLive', 'https://dlive.tv', 'rtmp://stream.dlive.tv/live/', 'dlive.tv', [
    'Open your Dashboard, then Stream Key.',
    'Copy the stream key.',
  ]),
  listed('Odysee', 'https://odysee.com/$/livestream', 'rtmp://stream.odysee.com/live/', 'odysee.com', [
    'Create a livestream and open its setup page.',
    'Copy the stream key.',
  ]),
  pasted(
    'Dailymotion',
    'other',
    'https://www.dailymotion.com/partner',
    ['dailymotion.com'],
    ['In Dailymotion Studio open Live and create a live stream.', copyBoth],
  ),
  pasted(
    'Picarto',
    'other',
    'https://picarto.tv/settings/golive',
    ['picarto.tv'],
    ['Open Settings, then Go live.', copyBoth],
  ),
  listed('Mixcloud Live', 'https://www.mixcloud.com/live/', 'rtmp://rtmp.mixcloud.com/broadcast/', 'mixcloud.com', [
    'Choose Go live, then streaming software.',
    'Copy the stream key.',
  ]),
  pasted(
    'Telegram',
    'telegram',
    'https://telegram.org/blog/group-video-calls',
    ['rtmp.t.me'],
    ['In the channel or group start a live stream and choose Stream with other apps.', copyBoth],
  ),
  pasted(
    'VK Video',
    'other',
    'https://vkvideo.ru',
    ['mycdn.me', 'okcdn.ru'],
    ['Create a live broadcast and choose streaming software.', copyBoth],
  ),
  listed(
    'Steam',
    'https://steamcommunity.com/broadcast',
    'rtmp://ingest-rtmp.broadcast.steamcontent.com/app/',
    'steamcontent.com',
    ['Open the broadcast settings of your account and create an RTMP token.', 'The token is the stream key.'],
  ),
  pasted(
    'SOOP',
    'other',
    'https://www.sooplive.com',
    ['sooplive.com', 'sooplive.co.kr', 'afreeca.tv'],
    ['Open the broadcast settings, then external encoder.', copyBoth],
  ),
  pasted(
    'CHZZK',
    'other',
    'https://studio.chzzk.naver.com',
    ['navercorp.com'],
    ['In CHZZK Studio open Settings.', copyBoth],
  ),
  listed('Restream', 'https://app.restream.io', 'rtmp://live.restream.io/live/', 'restream.io', [
    'Choose Go live with an encoder.',
    'Copy the stream key. Restream sends to all channels that are switched on there.',
  ]),
  pasted(
    'Castr',
    'other',
    'https://app.castr.io',
    ['castr.io'],
    ['Create a live stream and open its encoder setup.', copyBoth],
  ),
  listed(
    'Cloudflare Stream',
    'https://dash.cloudflare.com',
    'rtmps://live.cloudflare.com:443/live/',
    'live.cloudflare.com',
    ['Open Stream, then Live inputs, and choose an input.', 'Copy the RTMPS key.'],
  ),
  listed('Mux', 'https://dashboard.mux.com', 'rtmps://global-live.mux.com:443/app/', 'mux.com', [
    'Create a live stream in the dashboard.',
    'Copy the stream key.',
  ]),
  pasted(
    'Amazon IVS',
    'other',
    'https://console.aws.amazon.com/ivs',
    [],
    [
      'Open the channel and its stream configuration.',
      'The ingest server goes into Server, the stream key below it.',
      onAir,
    ],
  ),
  listed('api.video', 'https://dashboard.api.video', 'rtmp://broadcast.api.video:1935/s/', 'api.video', [
    'Create a live stream in the dashboard.',
    'Copy the stream key.',
  ]),
  listed('Livepeer Studio', 'https://livepeer.studio', 'rtmp://rtmp.livepeer.com/live/', 'livepeer.com', [
    'Create a stream in the dashboard.',
    'Copy the stream key.',
  ]),
  pasted(
    'PeerTube',
    'other',
    'https://joinpeertube.org',
    [],
    ['On your PeerTube server choose Publish, then Go live.', copyBoth],
  ),
  pasted(
    'Owncast',
    'other',
    'https://owncast.online/docs/broadcasting/',
    [],
    [
      'The server is rtmp://, the host of your Owncast server, and /live.',
      'The stream key is in its admin pages: Configuration, then Server setup, then Stream keys.',
    ],
  ),
];

const copyBothZh = '复制页面给出的推流地址和推流密钥，分别填到这里。';
const newEachTimeZh = '每次开播的地址和密钥都会变化，开播前请重新复制。';
const oneAddressZh = '若只给出一个完整地址：最后一个斜杠之前填入推流地址，之后的内容（含 ? 和参数）填入推流密钥。';

export const chinesePlatforms: readonly PlatformPreset[] = [
  {
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
  {
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
  {
    logo: 'kuaishou',
    name: '快手',
    servers: [{ name: '默认', url: 'rtmp://open-push.voip.yximgs.com/gifshow/' }],
    isPrefilled: false,
    hosts: ['yximgs.com'],
    keyPage: 'https://studio.kuaishou.com/live/list',
    keySteps: ['打开快手直播管理，创建一场直播。', '复制“推流地址”和“流密钥”，分别填到这里。'],
  },
  pasted(
    '抖音',
    'tiktok',
    'https://anchor.douyin.com',
    ['douyincdn.com'],
    ['需要账号有第三方推流权限。在主播中心创建直播。', copyBothZh, newEachTimeZh],
  ),
  pasted(
    '斗鱼',
    'other',
    'https://www.douyu.com/creator/main/live',
    ['douyu.com', 'douyucdn.cn'],
    ['打开创作中心的“直播设置”，开启直播后查看推流码。', copyBothZh, newEachTimeZh],
  ),
  pasted(
    '虎牙',
    'other',
    'https://i.huya.com',
    ['huya.com'],
    ['打开主播中心，在“直播设置”中查看推流地址。', copyBothZh],
  ),
  pasted(
    '淘宝直播',
    'other',
    'https://liveplatform.taobao.com',
    [],
    ['打开淘宝直播中控台，创建直播并选择推流方式。', copyBothZh, newEachTimeZh],
  ),
  pasted('京东直播', 'other', 'https://live.jd.com', [], ['在直播后台创建直播，选择推流直播。', copyBothZh]),
  pasted(
    '小红书',
    'other',
    'https://redlive.xiaohongshu.com',
    ['xhscdn.com'],
    ['需要账号有推流权限。在直播中控台创建直播。', copyBothZh, newEachTimeZh],
  ),
  pasted(
    '微博直播',
    'other',
    'https://weibo.com',
    ['weibo.com'],
    ['在微博的直播后台创建直播，选择推流。', copyBothZh, newEachTimeZh],
  ),
  pasted(
    '拼多多',
    'other',
    'https://mms.pinduoduo.com',
    ['pinduoduo.com'],
    ['在商家后台打开“多多直播”，创建直播。', copyBothZh],
  ),
  pasted('百度直播', 'other', 'https://live.baidu.com', [], ['在主播后台创建直播，查看推流信息。', copyBothZh]),
  pasted(
    '知乎直播',
    'other',
    'https://www.zhihu.com/creator',
    ['zhihu.com'],
    ['在创作中心打开直播，选择推流直播。', copyBothZh],
  ),
  pasted('YY 直播', 'other', 'https://www.yy.com', ['yy.com'], ['在主播后台打开直播设置，查看推流信息。', copyBothZh]),
  pasted('花椒直播', 'other', 'https://www.huajiao.com', ['huajiao.com'], ['在主播中心查看推流信息。', copyBothZh]),
  pasted(
    '腾讯云直播',
    'other',
    'https://console.cloud.tencent.com/live',
    ['tlivecloud.com', 'livepush.myqcloud.com'],
    ['打开“辅助工具”中的“地址生成器”，选择推流域名并生成推流地址。', oneAddressZh],
  ),
  pasted(
    '阿里云直播',
    'other',
    'https://live.console.aliyun.com',
    ['alivecdn.com'],
    ['打开“地址生成器”，选择推流域名并生成推流地址。', oneAddressZh],
  ),
  pasted(
    '华为云直播',
    'other',
    'https://console.huaweicloud.com/live',
    ['myhuaweicloud.com'],
    ['在“域名管理”中查看推流域名，并生成鉴权的推流地址。', oneAddressZh],
  ),
  pasted(
    '火山引擎直播',
    'other',
    'https://console.volcengine.com/live',
    ['volcengine.com'],
    ['打开“地址生成器”，选择推流域名并生成推流地址。', oneAddressZh],
  ),
  pasted(
    '百度智能云直播',
    'other',
    'https://console.bce.baidu.com/lss',
    ['bcelive.com'],
    ['在“域名管理”中查看推流地址。', oneAddressZh],
  ),
  pasted('七牛云直播', 'other', 'https://portal.qiniu.com', [], ['在直播空间中创建流，并生成推流地址。', oneAddressZh]),
  pasted(
    '金山云直播',
    'other',
    'https://console.ksyun.com',
    [],
    ['在云直播中查看推流域名并生成推流地址。', oneAddressZh],
  ),
  pasted(
    '保利威',
    'other',
    'https://live.polyv.net',
    ['videocc.net', 'polyv.net'],
    ['打开频道的“直播设置”，选择推流方式为第三方推流。', copyBothZh],
  ),
  pasted('微吼', 'other', 'https://e.vhall.com', ['vhall.com'], ['打开活动的“直播方式”，选择第三方推流。', copyBothZh]),
  pasted('目睹直播', 'other', 'https://mudu.tv', ['mudu.tv'], ['打开频道的“推流设置”。', copyBothZh]),
  pasted('小鹅通', 'other', 'https://www.xiaoe-tech.com', [], ['打开直播的“推流直播”。', copyBothZh]),
  pasted('微赞', 'other', 'https://live.vzan.com', ['vzan.com'], ['打开直播间的“推流地址”。', copyBothZh]),
  pasted(
    '钉钉直播',
    'other',
    'https://www.dingtalk.com',
    ['dingtalk.com'],
    ['创建直播时选择专业推流。', copyBothZh, newEachTimeZh],
  ),
  pasted(
    'TikTok',
    'tiktok',
    'https://www.tiktok.com/live/producer',
    ['tiktokcdn.com', 'tiktok.com'],
    ['打开 LIVE Producer（需要账号有推流权限）。', copyBothZh, newEachTimeZh],
  ),
  {
    ...pasted(
      'YouTube',
      'youtube',
      'https://studio.youtube.com',
      ['youtube.com'],
      [
        '在 YouTube 工作室选择“创建”，再选择“进行直播”。首次开通最多需要 24 小时。',
        '“直播网址”填入推流地址，“直播密钥”填入推流密钥。',
      ],
    ),
    servers: [{ name: '加密 (RTMPS)', url: 'rtmps://a.rtmps.youtube.com:443/live2/' }],
  },
];

/** A platform with a different server for each account. */
function pasted(
  name: string,
  logo: PlatformPreset['logo'],
  keyPage: string,
  hosts: readonly string[],
  keySteps: readonly string[],
): PlatformPreset {
  return { logo, name, servers: [], isPrefilled: false, hosts, keyPage, keySteps };
}

/** A platform with one server for all accounts. */
function listed(name: string, keyPage: string, url: string, host: string, keySteps: readonly string[]): PlatformPreset {
  const servers = [{ name, url }];
  return { logo: 'other', name, servers, isPrefilled: false, hosts: [host], keyPage, keySteps };
}
