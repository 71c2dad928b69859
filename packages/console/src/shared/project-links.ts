// External addresses that the console links to.

const repository = 'https://github.com/ossrs/srs-stack';

export const projectLinks = {
  repository,
  scaleGuide: `${repository}/blob/main/docs/how-to/run-several-servers.md`,
  releases: `${repository}/releases`,
  /** Government site that registers ICP filing numbers. */
  icpRegistry: 'https://beian.miit.gov.cn',
  chat: 'https://discord.gg/yZ4BnPmHAd',
  socialNetwork: 'https://twitter.com/srs_server',
  community: 'https://ossrs.net/lts/zh-cn/contact',
  videoTutorial: 'https://www.bilibili.com/video/BV1844y1L7dL',
} as const;
