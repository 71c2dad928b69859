// Settings: certificates, callbacks and their deliveries.
import type { CertificateState, endpoints, HookDelivery, ResponseOf, SecretUses } from '@srs-stack/contract';

const certificate = {
  subject: 'live.example.com',
  issuer: "Let's Encrypt R11",
  names: ['live.example.com'],
  notBefore: '2026-02-01T00:00:00Z',
  notAfter: '2026-05-02T00:00:00Z',
  daysLeft: 54,
  selfSigned: false,
  fingerprint: Array.from({ length: 32 }, (_, index) =>
    (index * 7 + 16).toString(16).padStart(2, '0').toUpperCase(),
  ).join(':'),
};

export const certificateState: CertificateState = {
  provider: 'lets',
  domain: 'live.example.com',
  certificate,
  order: null,
  email: 'ops@example.com',
  nextRenewalCheck: '2026-03-09T03:00:00Z',
};
export const noCertificate: CertificateState = {
  ...certificateState,
  provider: '',
  domain: '',
  certificate: null,
  nextRenewalCheck: '',
};
export const selfSigned: CertificateState = {
  ...noCertificate,
  provider: 'ssl',
  certificate: {
    ...certificate,
    subject: 'srs.local',
    issuer: 'srs.local',
    names: ['srs.local'],
    selfSigned: true,
    daysLeft: 3_600,
  },
};
const orderStart = { domain: 'live.example.com', startedAt: '2026-03-08T12:14:50Z', isRenewal: false };
export const orderRunning: CertificateState = { ...noCertificate, order: { ...orderStart, step: 'validating' } };
export const orderDone: CertificateState = {
  ...certificateState,
  order: { ...orderStart, step: 'done', endedAt: '2026-03-08T12:14:58Z' },
};
export const orderFailed: CertificateState = {
  ...noCertificate,
  order: {
    ...orderStart,
    step: 'failed',
    endedAt: '2026-03-08T12:14:58Z',
    error: {
      name: 'certificateOrderFailed',
      message: 'the authority could not reach http://live.example.com/.well-known/',
    },
  },
};

type Hooks = ResponseOf<(typeof endpoints)['queryHooks']>;
export const noHooks: Hooks = { all: false, target: '', opaque: '', host: '', req: '', res: '', revision: 0 };
export const hooks: Hooks = {
  all: true,
  target: 'https://hooks.example.com/srs',
  opaque: 'studio-a',
  host: 'https://live.example.com',
  req: '{"request_id":"a1","action":"on_publish","opaque":"studio-a","vhost":"__defaultVhost__","app":"live","stream":"livestream","param":"?secret=******"}',
  res: '{"code":0}',
  revision: 4,
};

const delivery = (id: string, change: Partial<HookDelivery> = {}): HookDelivery => ({
  id,
  at: '2026-03-08T12:10:00Z',
  action: 'on_publish',
  target: 'https://hooks.example.com/srs',
  request: hooks.req,
  status: 200,
  response: '{"code":0}',
  durationMs: 34,
  outcome: 'accepted',
  detail: '',
  ...change,
});

export const deliveries: HookDelivery[] = [
  delivery('a1'),
  delivery('a2', {
    action: 'on_unpublish',
    outcome: 'refused',
    problem: 'status',
    status: 500,
    response: 'oops',
    detail: 'HTTP 500',
  }),
  {
    ...delivery('a3', {
      action: 'on_record_end',
      outcome: 'failed',
      problem: 'timeout',
      response: '',
      durationMs: 10_000,
      detail: 'timeout',
    }),
    status: undefined,
  },
];

/** Tasks that are updated with a new publish secret, and tasks that the operator must update manually. */
export const secretUses = {
  follows: [
    { kind: 'transcode', name: '', label: '' },
    { kind: 'forward', name: 'forwarding-lx2k9-abcd', label: 'Second channel' },
  ],
  others: [
    { kind: 'forward', name: 'bilibili', label: '', reason: 'elsewhere' },
    { kind: 'vlive', name: 'vlive-lx2k9-efgh', label: 'Night programme', reason: 'in-name' },
    { kind: 'publisher', name: 'live/livestream', label: '', reason: 'publishing' },
  ],
} satisfies SecretUses;
