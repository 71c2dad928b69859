// Data for `check-features.ts`: the console feature of each endpoint file that has another name, and the calls that no page makes, each
// with its reason.

/** Endpoint file → folder below the console's sources. Files that are not listed have a feature of the same path and name. */
export const otherHomes: Readonly<Record<string, { readonly folder: string; readonly because: string }>> = {
  'settings/admin-key': { folder: 'features/settings/platform', because: 'one tab for what concerns the machine' },
  audit: {
    folder: 'features/dashboard',
    because: 'a script reads the trail; the dashboard shows its entries as events',
  },
  'settings/bitrate-limits': { folder: 'features/settings/limits', because: 'one tab for both kinds of limits' },
  'demo-stream': { folder: 'features/tutorials', because: 'a step of the first run' },
  drain: { folder: 'app', because: 'the banner of every page' },
  'first-steps': { folder: 'features/tutorials', because: 'the list of the first run' },
  'later-releases': { folder: '', because: 'consoles of later releases ask before they open a page' },
  'live-clients': { folder: 'features/streams', because: 'clients are listed inside their stream' },
  'settings/load-balancer': {
    folder: 'features/settings/web-front',
    because: 'one tab for what stands before the server',
  },
  'media-server-hooks': { folder: '', because: 'the media server makes these calls' },
  monitor: { folder: 'features/dashboard', because: 'the page is named by what an operator calls it' },
  session: { folder: 'features/login', because: 'setup, login, logout and the password are pages of their own' },
  snapshots: { folder: 'shared/snapshots', because: 'the Live page takes them, the Record page has their timers' },
  system: { folder: 'app', because: 'asked before any page, and by the status strip' },
  'settings/upgrade-window': { folder: 'features/settings/platform', because: 'one tab for what concerns the machine' },
  'settings/upgrades': { folder: 'features/settings/platform', because: 'one tab for what concerns the machine' },
  'settings/usage-limit': { folder: 'features/settings/limits', because: 'one tab for both kinds of limits' },
  versions: { folder: 'app', because: 'the footer of every page' },
  'worker-logs': { folder: 'shared/worker', because: 'the FFmpeg view belongs to every task' },
};

/** Features without an endpoint file of their name, and what they show. */
export const otherFeatures: Readonly<Record<string, string>> = {
  contact: 'no calls',
  dashboard: 'endpoint files monitor and audit',
  live: 'addresses and the card of one stream: endpoint files streams and settings/publish-secret',
  login: 'endpoint file session',
  logout: 'endpoint file session',
  setup: 'endpoint file session',
  'settings/limits': 'endpoint files settings/bitrate-limits and settings/usage-limit',
  'settings/openapi': 'every call, to be tried',
  'settings/platform': 'endpoint files session, and of the settings admin-key, upgrade-window and upgrades',
  'srt-guide': 'no calls of its own',
};

/** Calls that no page of the console makes, with the reason for their existence. */
export const callsWithoutPage: Readonly<Record<string, string>> = {
  unlockStream: 'the watch page gives it the password of a viewer',
  createConsoleLink: 'the players of who is logged in ask it by its path, which they load apart from all calls',
  cameraSource: 'for scripts and older consoles; the page tests an address and saves it with its camera',
  hlsSegment: 'the media server tells of a finished HLS segment',
  hlsSegments: 'the gateway tells of those of many streams at once',
  listRooms: 'for scripts and older consoles; the page asks queryRoomStates, which answers the same and more',
  queryInvitation: 'the guest page asks it by its path, which it loads apart from all calls',
  queryRoom: 'for scripts and older consoles; the page has all rooms',
  queryAudit: 'for scripts that read the trail page by page; the dashboard shows the same entries as events',
  queryCertificate: 'a call of the specification; it answers the private key, so the page asks queryCertificateStatus',
  queryDrain: 'for `npm run drain`; the console has the same among the figures that are pushed to it',
  queryOcr: 'consoles of later releases ask before they open the page of AI image recognition',
  queryOpenai: 'consoles of later releases ask before they open their settings',
  queryTranscript: 'consoles of later releases ask before they open the page of AI subtitles',
  queryVariants: 'the media server asks what a stream is to be had as, for a playlist of all renditions',
  verifyStream: 'the media server asks whether an encoder may publish and a viewer may play',
};
