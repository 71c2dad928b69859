// Forwards, virtual live streams and transcodes: targets, and FFmpeg processes in all states.
import type {
  ForwardImport,
  ForwardRow,
  ForwardTarget,
  LibraryFile,
  MediaSource,
  PushMetrics,
  TargetTest,
  TranscodeConfig,
  TranscodeTask,
  VliveRow,
  VliveTarget,
  WorkerFailure,
  WorkerReason,
  WorkerState,
  WorkerStatus,
} from '@srs-stack/contract';
import { now } from './now.ts';
import { liveStream } from './streams.ts';

const minuteMs = 60_000;

function heartbeatOf(state: WorkerState, reason: WorkerReason): WorkerStatus['heartbeat'] {
  return Array.from({ length: 60 }, (_, index) => {
    const at = new Date(now.getTime() - (60 - index) * minuteMs).toISOString();
    const isBad = index > 37 && index < 41;
    return isBad ? { at, state: 'retrying', reason: 'connection-closed' } : { at, state, reason };
  });
}

export function worker(state: WorkerState, change: Partial<WorkerStatus> = {}): WorkerStatus {
  const runs = state === 'running' || state === 'starting';
  const reason = change.reason ?? 'none';
  return {
    state,
    reason,
    reasonDetail: '',
    retryInMs: state === 'retrying' ? 8_000 : 0,
    restarts: state === 'idle' ? 0 : 2,
    pid: runs ? 24_817 : 0,
    cpuPercent: runs ? 3.4 : 0,
    rssBytes: runs ? 41_300_000 : 0,
    command: runs
      ? 'ffmpeg -hide_banner -re -i rtmp://127.0.0.1/live/livestream -c copy -f flv rtmp://a.example/live/******'
      : '',
    heartbeat: state === 'idle' ? [] : heartbeatOf(state, reason),
    ...change,
  };
}

const frame = {
  log: 'frame=111690 fps= 30 q=-1.0 size= 2048000kB time=01:02:03.00 bitrate=4506.2kbits/s speed=   1x',
  update: '2026-03-08T12:14:58Z',
};
const push: PushMetrics = {
  bitrateKbps: 4_506,
  bitrateHistoryKbps: Array.from({ length: 60 }, (_, index) =>
    index > 37 && index < 41 ? 0 : 4_480 + (index % 7) * 35,
  ),
  ...{ queuedMs: 120, droppedFrames: 48, reconnects: 2 },
};
const lastError: WorkerFailure = {
  ...{ at: '2026-03-08T11:54:12Z', reason: 'connection-closed', reasonDetail: 'the target closed the connection' },
};
const run = { frame, start: '2026-03-08T11:12:55Z', ready: '2026-03-08T11:12:56Z' };

export const forwardTarget = (platform: string, change: Partial<ForwardTarget> = {}): ForwardTarget => ({
  platform,
  server: `rtmp://live.${platform}.example/app/`,
  secret: 'k-4f21-9d07-aa10',
  enabled: true,
  custom: false,
  label: '',
  stream: '',
  ...change,
});

export const forwardTargets: Record<string, ForwardTarget> = {
  wx: forwardTarget('wx'),
  bilibili: forwardTarget('bilibili', { label: 'Main channel', group: 'Sunday service' }),
  kuaishou: forwardTarget('kuaishou', { enabled: false }),
  'forwarding-1': forwardTarget('forwarding-1', {
    custom: true,
    label: 'Partner studio',
    group: 'Sunday service',
    server: 'srt://partner.example:10080',
  }),
};

const pushed = (platform: string, label: string) => ({ platform, label, enabled: true, custom: label !== '' });

export const forwardRows: ForwardRow[] = [
  { ...pushed('wx', ''), stream: 'live/livestream', ...run, ...worker('running'), push, lastError },
  {
    ...pushed('bilibili', 'Main channel'),
    ...worker('retrying', {
      reason: 'not-authorized',
      reasonDetail: 'the server answered NetStream.Publish.Unauthorized',
    }),
  },
  { ...pushed('forwarding-1', 'Partner studio'), ...worker('waiting', { reason: 'source-not-live' }) },
  { ...pushed('kuaishou', ''), enabled: false, ...worker('idle') },
];

function mediaSource(change: Partial<MediaSource> = {}): MediaSource {
  const times = { bit_rate: '', start_time: '0.000000', duration: '2710.080000' };
  return {
    name: 'evening-show-2026-03-01.mp4',
    path: '',
    size: 1_402_621_440,
    uuid: '11111111-1111-4111-8111-111111111111',
    target: 'vlive/11111111-1111-4111-8111-111111111111.mp4',
    type: 'upload',
    format: { ...times, bit_rate: '4140500', nb_streams: 2, probe_score: 100, has_video: true, has_audio: true },
    video: {
      ...times,
      codec_type: 'video',
      codec_name: 'h264',
      profile: 'High',
      width: 1920,
      height: 1080,
      pix_fmt: 'yuv420p',
      rotation: 0,
      encodes: '',
      level: 41,
    },
    audio: {
      ...times,
      codec_type: 'audio',
      codec_name: 'aac',
      profile: 'LC',
      sample_fmt: 'fltp',
      sample_rate: '48000',
      channels: 2,
      channel_layout: 'stereo',
    },
    ...change,
  };
}

const secondUuid = '22222222-2222-4222-8222-222222222222';
const playlist = [
  mediaSource(),
  mediaSource({ uuid: secondUuid, name: 'trailer.flv', size: 88_080_384, type: 'file' }),
];
const { stream: _source, ...vliveTarget } = forwardTarget('wx');

export const vliveTargets: Record<string, VliveTarget> = {
  wx: { ...vliveTarget, files: playlist, startAt: '' },
  bilibili: { ...vliveTarget, platform: 'bilibili', enabled: false, files: [], startAt: '' },
};

export const vliveRows: VliveRow[] = [
  {
    ...pushed('wx', ''),
    files: playlist,
    source: playlist[0]!.uuid,
    startAt: '',
    playing: { index: 0, nextIndex: 1, positionMs: 754_000, durationMs: 2_710_080 },
    transcoded: { video: false, audio: true },
    ...run,
    ...worker('running'),
  },
  {
    ...pushed('bilibili', ''),
    files: playlist.slice(1),
    startAt: '',
    transcoded: { video: false, audio: false },
    ...worker('error', {
      reason: 'file-missing',
      reasonDetail: 'trailer.flv is not in the data folder',
      retryInMs: 60_000,
    }),
  },
];

/** A virtual live stream that starts in an hour and a quarter. */
export const scheduledRows: VliveRow[] = [
  {
    ...pushed('wx', ''),
    files: playlist,
    startAt: '2026-03-08T13:30:00Z',
    transcoded: { video: false, audio: false },
    ...worker('waiting', { reason: 'scheduled' }),
  },
];

const libraryFile = (change: Partial<LibraryFile>): LibraryFile => ({
  uuid: playlist[0]!.uuid,
  name: playlist[0]!.name,
  size: playlist[0]!.size,
  target: playlist[0]!.target,
  type: 'upload',
  addedAt: '2026-03-07T08:00:00Z',
  expiresAt: '',
  usedBy: ['wx'],
  place: 'server',
  ...change,
});

export const library = {
  files: [
    libraryFile({}),
    libraryFile({
      uuid: secondUuid,
      name: 'trailer.flv',
      size: 88_080_384,
      usedBy: [],
      expiresAt: '2026-03-09T08:00:00Z',
    }),
  ],
  freeBytes: 84_300_000_000,
  maxFileBytes: 107_374_182_400,
};

export const neverTranscoded: TranscodeConfig = {
  all: false,
  vcodec: '',
  acodec: '',
  vbitrate: 0,
  abitrate: 0,
  achannels: 0,
  vprofile: '',
  vpreset: '',
  server: '',
  secret: '',
};
export const transcodeConfig: TranscodeConfig = {
  all: true,
  vcodec: 'libx264',
  acodec: 'aac',
  vbitrate: 1_200,
  abitrate: 64,
  achannels: 2,
  vprofile: 'main',
  vpreset: 'veryfast',
  server: 'rtmp://live.example.com/live/',
  secret: 'livestream-trans?secret=b2e14a7c90d34f6f8a1d',
};

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120"><rect width="300" height="120" rx="28" fill="#fff"/><circle cx="62" cy="60" r="34" fill="#c0242c"/><rect x="118" y="38" width="146" height="16" rx="8" fill="#222"/><rect x="118" y="68" width="96" height="16" rx="8" fill="#777"/></svg>';
export const watermark = {
  id: '4f0c9ad1e1b54a6f9d0b7f2f5f3c7a10',
  width: 300,
  height: 120,
  sizeBytes: 5_120,
  picture: `data:image/svg+xml;base64,${btoa(logo)}`,
};
/** Transcode to a smaller resolution than the source, with a logo. */
export const pictureConfig: TranscodeConfig = {
  ...transcodeConfig,
  picture: {
    height: 720,
    fps: 0,
    keyframeSeconds: 2,
    watermark: { image: watermark.id, corner: 'top-right', marginPercent: 3, widthPercent: 22, opacityPercent: 90 },
  },
};

export const transcodedStreams = [
  liveStream(),
  liveStream({
    id: 'vid-trans',
    stream: 'livestream-trans',
    video: { codec: 'H264', profile: 'Main', level: '3.1', width: 1280, height: 720 },
    bitrateKbps: 1_268,
    bitrateHistoryKbps: Array.from({ length: 60 }, (_, second) => 1_260 + Math.round(60 * Math.sin(second / 3))),
  }),
];

export function transcodeTask(state: WorkerState, change: Partial<TranscodeTask> = {}): TranscodeTask {
  const running = state === 'running';
  return {
    uuid: '33333333-3333-4333-8333-333333333333',
    enabled: state !== 'idle',
    input: running ? 'live/livestream' : '',
    output: running ? `${transcodeConfig.server}${transcodeConfig.secret}` : '',
    frame: running ? frame : { log: '', update: '' },
    ...worker(state),
    ...change,
  };
}

export const workerLogs = {
  ...worker('running'),
  logs: [
    'Input #0, flv, from rtmp://127.0.0.1/live/livestream',
    'Stream #0:0: Video: h264 (High), 1920x1080, 30 fps',
    frame.log,
  ],
};

export const listText = `name,server,key,source,group
Main,rtmp://live.example/app,abcd-1234,livestream,Monday
Second,https://live.example/app,efgh-5678,,Monday
Partner,srt://partner.example:10080,,,`;
export const checkedList: ForwardImport = {
  rows: [
    {},
    {
      error: {
        message: 'this address is not allowed: the address must begin with rtmp://, rtmps://, srt://',
        name: 'addressRefused',
        reason: { key: 'address.scheme', values: { schemes: 'rtmp://, rtmps://, srt://' } },
      },
    },
    {},
  ],
  added: 0,
};

export const passedTest: TargetTest = {
  isDone: true,
  steps: [
    { step: 'name', state: 'passed', ms: 12 },
    { step: 'port', state: 'passed', ms: 31 },
    { step: 'connect', state: 'passed', ms: 84 },
    { step: 'codec', state: 'passed', ms: 0 },
  ],
};
export const failedTest: TargetTest = {
  isDone: true,
  steps: [
    { step: 'name', state: 'passed', ms: 12 },
    { step: 'port', state: 'passed', ms: 31 },
    {
      ...{ step: 'tls', state: 'failed', ms: 40, reason: 'tls-failed' },
      reasonDetail: 'the certificate of the target has expired',
      detail: { key: 'certificate-expired', values: {} },
    },
    { step: 'connect', state: 'skipped', ms: 0 },
    { step: 'codec', state: 'skipped', ms: 0 },
  ],
};
