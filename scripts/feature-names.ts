// Exceptions for `check-features.ts`, each with its reason: endpoint files whose console feature has another name, and calls that no page
// uses.

/** Endpoint file → folder below the console's sources. All other endpoint files have a feature with their path and name. */
export const otherHomes: Readonly<Record<string, { readonly folder: string; readonly because: string }>> = {
  'settings/admin-key': { folder: 'features/settings/platform', because: 'one tab for all machine settings' },
  audit: {
    folder: 'features/dashboard',
    because: 'scripts read the audit trail; the dashboard shows its entries as events',
  },
  'settings/bitrate-limits': { folder: 'features/settings/limits', because: 'one tab contains both kinds of limits' },
  'demo-stream': { folder: 'features/tutorials', because: 'the demo stream is a step of the first run' },
  drain: { folder: 'app', because: 'the banner of every page shows draining' },
  'first-steps': { folder: 'features/tutorials', because: 'the list of the first run shows the first steps' },
  'later-releases': { folder: '', because: 'consoles of later releases make these calls before they open a page' },
  'live-clients': { folder: 'features/streams', because: 'clients are listed inside their stream' },
  'settings/load-balancer': {
    folder: 'features/settings/web-front',
    because: 'one tab contains the web servers and load balancers around this server',
  },
  'media-server-hooks': { folder: '', because: 'the media server makes these calls' },
  monitor: { folder: 'features/dashboard', because: 'the page has the name that operators use' },
  session: { folder: 'features/login', because: 'setup, login, logout and the password are separate pages' },
  snapshots: { folder: 'shared/snapshots', because: 'the Live page takes snapshots, the Record page has timers' },
  system: { folder: 'app', because: 'the console makes these calls before the first page, and in the status strip' },
  'settings/upgrade-window': { folder: 'features/settings/platform', because: 'one tab for all machine settings' },
  'settings/upgrades': { folder: 'features/settings/platform', because: 'one tab for all machine settings' },
  'settings/usage-limit': { folder: 'features/settings/limits', because: 'one tab contains both kinds of limits' },
  versions: { folder: 'app', because: 'the footer of every page shows the version' },
  'worker-logs': { folder: 'shared/worker', because: 'the FFmpeg view belongs to every task' },
};

/** Features without an endpoint file of the same name, and what they show. */
export const otherFeatures: Readonly<Record<string, string>> = {
  contact: 'no calls',
  dashboard: 'endpoint files monitor and audit',
  live: 'addresses and the card of one stream: endpoint files streams and settings/publish-secret',
  login: 'endpoint file session',
  logout: 'endpoint file session',
  setup: 'endpoint file session',
  'settings/limits': 'endpoint files settings/bitrate-limits and settings/usage-limit',
  'settings/openapi': 'a form that sends any call',
  'settings/platform': 'endpoint files session, and of the settings admin-key, upgrade-window and upgrades',
  'srt-guide': 'no calls',
};

/** Calls that no console page uses, with the reason why they exist. */
export const callsWithoutPage: Readonly<Record<string, string>> = {
  unlockStream: 'the watch page sends the password of a viewer',
  createConsoleLink:
    'player pages of logged-in operators use the path of this call, because they do not load the list of calls',
  cameraSource: 'for scripts and older consoles; the page tests an address and saves it with its camera',
  hlsSegment: 'the media server reports a finished HLS segment',
  hlsSegments: 'the gateway reports finished HLS segments of several streams',
  listRooms: 'for scripts and older consoles; the page calls queryRoomStates, which returns more fields',
  queryInvitation: 'the guest page uses the path of this call, because the page does not load the list of calls',
  queryRoom: 'for scripts and older consoles; the page loads all rooms',
  queryAudit: 'for scripts that read the audit trail page by page; the dashboard shows the same entries as events',
  queryCertificate: 'for older consoles; this call returns the private key, so the page calls queryCertificateStatus',
  queryDrain: 'for `npm run drain`; the console receives the same data with the pushed metrics',
  queryOcr: 'consoles of later releases make this call before they open the page of AI image recognition',
  queryOpenai: 'consoles of later releases make this call before they open their settings',
  queryTranscript: 'consoles of later releases make this call before they open the page of AI subtitles',
  queryVariants: 'the media server requests the renditions of a stream for its master playlist',
  verifyStream: 'the media server requests authorization of publishers and viewers',
};
