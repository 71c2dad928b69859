// Administration: hours, upgrade window, proxied paths, load balancer, components, the administrator's key.
import { componentNames, type endpoints, type ResponseOf } from '@srs-stack/contract';
import { revision } from './revision.ts';

type Data<Name extends keyof typeof endpoints> = ResponseOf<(typeof endpoints)[Name]>;

export const usage: Data<'queryUsageLimit'> = {
  totalHours: 300,
  startDate: '2026-03-01',
  periodStart: '2026-03-01T00:00:00+08:00',
  periodEnd: '2026-04-01T00:00:00+08:00',
  consumedSeconds: 421_200,
  liveStreams: 1,
  isExhausted: false,
  revision,
};
export const noUsageLimit: Data<'queryUsageLimit'> = { ...usage, totalHours: null, consumedSeconds: 0, liveStreams: 0 };
export const usedUp: Data<'queryUsageLimit'> = { ...usage, consumedSeconds: 1_080_000, isExhausted: true };

export const upgradeWindow: Data<'queryUpgradeWindow'> = {
  start: '02:00',
  end: '06:00',
  isOpen: false,
  opensAt: '2026-03-09T02:00:00+08:00',
  closesAt: '2026-03-09T06:00:00+08:00',
  serverTime: '2026-03-08T20:15:00+08:00',
  timeZone: 'Asia/Shanghai',
  liveStreams: 1,
  revision,
};

const [installedCommit, newCommit, mainCommit] = ['5c1e7a90b2d4', '9f3b21c6d8aa', 'e07d4c518b3f'].map(
  (start) => `${start}${'0'.repeat(28)}`,
) as [string, string, string];
const installation = {
  kind: 'checkout' as const,
  version: '1.2.3',
  commit: installedCommit,
  folder: '/opt/srs-stack',
  remote: 'https://git.example.com/live/srs-stack.git',
};
const newStable = {
  channel: 'stable' as const,
  version: '1.3.0',
  commit: newCommit,
  date: '2026-03-06T09:30:00+08:00',
  changes: [
    'A new viewer sees a frame immediately, even with keyframes a minute apart.',
    'Forwarding: a target that does not respond for 10 s is retried with `libx264`, and the page shows the reason.',
    'Recordings of streams that change their resolution play to the end in every browser.',
    'Upgrades from this page and with `npm run upgrade`; a release that fails is rolled back automatically.',
    'New guides for operation and troubleshooting.',
    'The server starts in half the time.',
    'The dashboard keeps the metrics of a week.',
  ],
  moreChanges: 12,
};
const newDevelopment = {
  ...newStable,
  channel: 'development' as const,
  version: '1.4.0-dev',
  commit: mainCommit,
  date: '2026-03-08T17:02:11+08:00',
  changes: ['WHEP: viewers that reconnect keep their place', 'Record: storyboards'],
  moreChanges: 0,
};
const target = { channel: 'stable' as const, version: '1.3.0', commit: newCommit };
const found = { checkedAt: '2026-03-08T20:10:00+08:00', problem: null, stable: newStable, development: newDevelopment };

/** State before the first update check. */
export const upgrade: Data<'queryUpgrade'> = {
  channel: 'stable',
  auto: false,
  revision,
  installation,
  found: null,
  isLooking: false,
  progress: null,
  result: null,
  liveStreams: ['live/lobby', 'live/main-stage'],
};
export const upgradeFound: Data<'queryUpgrade'> = { ...upgrade, auto: true, found };
export const upgradeRunning: Data<'queryUpgrade'> = {
  ...upgradeFound,
  progress: { state: 'running', step: 'install', startedAt: found.checkedAt, target, problem: null },
};
export const upgradeDone: Data<'queryUpgrade'> = {
  ...upgradeFound,
  installation: { ...installation, version: '1.3.0', commit: newCommit },
  result: {
    outcome: 'upgraded',
    at: '2026-03-08T20:14:08+08:00',
    from: '1.2.3',
    to: target,
    problem: null,
    interruptionMs: 2_340,
  },
};
export const upgradeTakenBack: Data<'queryUpgrade'> = {
  ...upgradeFound,
  result: {
    outcome: 'rolled-back',
    at: '2026-03-08T20:14:08+08:00',
    from: '1.2.3',
    to: target,
    problem: {
      reason: 'ended',
      detail:
        'srs-stack platform: The store /var/lib/srs-stack/store.sqlite was written by a newer release, install that release: the store has schema 3, this release knows 2',
    },
    interruptionMs: 5_120,
  },
};
export const upgradeNotPrepared: Data<'queryUpgrade'> = {
  ...upgradeFound,
  progress: {
    state: 'failed',
    step: 'install',
    startedAt: found.checkedAt,
    target,
    problem: {
      reason: 'install-failed',
      detail: 'npm error code ENOTFOUND\nnpm error network request to https://registry.npmjs.org/zod failed',
    },
  },
};
export const upgradeUnreachable: Data<'queryUpgrade'> = {
  ...upgrade,
  found: {
    checkedAt: found.checkedAt,
    problem: {
      reason: 'remote-unreachable',
      detail: 'fatal: unable to access origin: Could not resolve host: git.example.com',
    },
    stable: null,
    development: null,
  },
};
export const upgradeInContainer: Data<'queryUpgrade'> = {
  ...upgrade,
  installation: { ...installation, kind: 'container', commit: '', remote: '', folder: '/app' },
};

export const adminKeyOff: Data<'queryAdminKey'> = {
  file: '',
  key: '',
  fingerprint: '',
  granted: false,
  otherKeys: 0,
  problem: '',
  revision,
};
export const adminKey: Data<'queryAdminKey'> = {
  ...adminKeyOff,
  file: '/home/ops/.ssh/authorized_keys',
  key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIE5vdEFSZWFsS2V5SnVzdEZvclBpY3R1cmVzMDAwMDA= ops@example.com',
  fingerprint: 'SHA256:0Vt3m2Qe8J5y1rZc7bKpXwA9dLhNfUsG4iOqTjRkE6M',
  granted: true,
  otherKeys: 2,
};

export const locations: Data<'queryProxyLocations'> = {
  locations: [
    { location: '/shop', backend: 'http://127.0.0.1:8080' },
    { location: '/chat', backend: 'https://chat.example.com/room' },
  ],
  revision,
};

const edge =
  'proxy_cache_path /tmp/srs-hls levels=1:2 keys_zone=srs:8m max_size=1g;\nserver {\n  listen 80;\n  location ~ \\.m3u8$ { proxy_cache_valid 200 2s; }\n}\n';
const nginx = 'upstream srs {\n  server 203.0.113.9:2022;\n  server 203.0.113.10:2022;\n}\n';
export const loadBalancer: Data<'queryLoadBalancer'> = {
  backends: ['203.0.113.9:2022', '203.0.113.10:2022'],
  configurations: [
    { program: 'nginx-edge', fileName: 'srs-hls-edge.conf', text: edge },
    { program: 'nginx', fileName: 'nginx.conf', text: nginx },
    { program: 'haproxy', fileName: 'haproxy.cfg', text: 'backend srs\n  balance leastconn\n' },
  ],
  revision,
};

export const allRunning: Data<'queryComponents'> = {
  components: componentNames.map((name) => ({ name, state: 'running', enabled: true })),
  mediaServer: { engine: 'embedded', api: '127.0.0.1:1985', isUp: true, version: '1.2.3', abilities: ['streams'] },
};

export const components: Data<'queryComponents'> = {
  components: [
    { name: 'rtmp', state: 'running', enabled: true, port: 1935 },
    { name: 'srt', state: 'running', enabled: true, port: 10080 },
    { name: 'webrtc', state: 'off', enabled: false, port: 8000 },
    { name: 'flv', state: 'running', enabled: true },
    { name: 'hls', state: 'running', enabled: true },
    { name: 'forward', state: 'running', enabled: true },
    { name: 'vlive', state: 'off', enabled: false },
    { name: 'transcode', state: 'absent', enabled: true },
    { name: 'record', state: 'running', enabled: true },
  ],
  mediaServer: {
    engine: 'embedded',
    api: '127.0.0.1:1985',
    isUp: true,
    version: '1.2.3',
    abilities: ['streams', 'kick', 'reload', 'refusals', 'measurements'],
  },
};

/** An external SRS as the media server. SRS manages its protocols itself and reports less. */
export const ownServer: Data<'queryComponents'> = {
  components: components.components.map((row) => {
    const isTask = ['forward', 'vlive', 'transcode', 'record'].includes(row.name);
    return isTask ? row : { ...row, state: 'foreign' as const, enabled: true };
  }),
  mediaServer: { engine: 'srs', api: '10.0.0.5:1985', isUp: true, version: '7.0.18', abilities: ['streams', 'kick'] },
};

export const twoServers: Data<'queryComponents'> = {
  ...ownServer,
  mediaServer: {
    engine: 'srs',
    api: '10.0.0.5:1985, edge.example.com:1985',
    isUp: true,
    version: 'SRS 5.0.216',
    abilities: ['streams', 'kick', 'refusals'],
    servers: [
      {
        name: '10.0.0.5:1985',
        api: '10.0.0.5:1985',
        isUp: true,
        version: 'SRS 5.0.216',
        abilities: ['streams', 'kick', 'refusals'],
      },
      { name: 'edge.example.com:1985', api: 'edge.example.com:1985', isUp: false, version: '', abilities: [] },
    ],
  },
};

/** The configurations generated for a single SRS, and for an origin with its edge. */
export const srsConfigs: Data<'querySrsConfigs'> = {
  configurations: (['single', 'origin', 'edge'] as const).map((role) => ({
    role,
    server: '127.0.0.1:1985',
    fileName: role === 'single' ? 'srs.conf' : `srs-${role}.conf`,
    text: [
      `# SRS 5 or newer, run as: ./objs/srs -c srs-${role}.conf`,
      'listen 1935;',
      'http_api { enabled on; listen 127.0.0.1:1985; raw_api { enabled on; allow_reload on; } }',
      'http_server { enabled on; listen 127.0.0.1:8080; dir /var/lib/srs-stack/hls; }',
      'vhost __defaultVhost__ {',
      '    http_remux { enabled on; mount [vhost]/[app]/[stream].flv; }',
      '}',
      '',
    ].join('\n'),
  })),
};
