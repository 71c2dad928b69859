// Constants of the product that servers and console share: defaults, timings, names. Units are in the names.

export const productName = 'SRS Stack';
export const defaultLocale = 'zh';
/**
 * Languages of the console. To add one, add a line here and a folder of texts in the console. `name` is in the language itself.
 */
export const languages = {
  zh: { name: '简体中文', short: '中', htmlLang: 'zh-CN' },
  en: { name: 'English', short: 'EN', htmlLang: 'en' },
} as const satisfies Record<string, { name: string; short: string; htmlLang: string }>;
export type Locale = keyof typeof languages;
export const supportedLocales = Object.keys(languages) as [Locale, ...Locale[]];

export const defaultApp = 'live';
export const defaultStreamName = 'livestream';
export const defaultVhost = '__defaultVhost__';

export const defaultRtmpPort = '1935';
export const defaultSrtPort = '10080';
export const defaultRtcPort = '8000';

/** SRT latency in the play address, milliseconds. */
export const srtPlayLatencyMs = 20;
export const pollIntervalMs = 10_000;
export const localePollIntervalMs = 300;
export const loginSuccessDelayMs = 600;
export const saveLockMs = 3_000;
export const toastMs = 5_000;
export const qrCodeSizePx = 200;
export const generatedStreamNameHexDigits = 6;
export const generatedPasswordLength = 16;

export { storageKeys } from './storage-keys.ts';

/** Default bitrate limit of a virtual-live or camera source, kbit/s. */
export const defaultSourceBitrateKbps = 5_000;
/** Path of the OpenAPI document of all calls; it needs no credential and has no envelope. */
export const openApiPath = '/terraform/v1/openapi.json';
/**
 * Accepts GET and POST. The credential is the same as for every call: `token` in the JSON body or `Authorization: Bearer`; never in the
 * URL. `Last-Event-ID` is the id of the last received `happened` event; without it the newest events are sent.
 */
export const eventStreamPath = '/terraform/v1/mgmt/monitor/events';
/** Liveness: whether the process responds at all. For programs that restart a hung process. Needs no credential. */
export const healthPath = '/healthz';
/**
 * Readiness: whether the server accepts new publishers and viewers, for load balancers. 200, or 503 with the reason. Needs no credential.
 */
export const readyPath = '/readyz';
/** Metrics for Prometheus, text format 0.0.4; requires the API secret or `METRICS_TOKEN` as bearer. */
export const metricsPath = '/metrics';
/** Plain multipart upload: the file name is appended. Bearer header, or a session token in the query or form field `token`. */
export const uploadPath = '/terraform/v1/ffmpeg/vlive/upload/';
/** Resumable upload (tus 1.0.0, metadata `filename`); same credentials. The id of an upload is the uuid of the file in the library. */
export const resumableUploadPath = '/terraform/v1/ffmpeg/vlive/uploads';
/** File extensions for uploads from a browser, and for files on the server. */
export const uploadExtensions = ['.mp4', '.flv', '.ts'] as const;
export const serverFileExtensions = ['.mp4', '.flv', '.ts', '.mkv', '.mov', '.mp3', '.aac', '.m4a'] as const;

/** Limits of the transcoder form; bitrates in kbit/s. */
export const transcodeRules = {
  vbitrate: { min: 100, max: 100_000 },
  abitrate: { min: 10, max: 1_000 },
  vcodec: ['libx264'],
  vprofile: ['baseline', 'main', 'high'],
  vpreset: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'],
  acodec: ['aac'],
  achannels: [0, 1, 2],
} as const;
/** Defaults of the transcoder form. */
export const transcodeDefaults = {
  vbitrate: 1_200,
  abitrate: 64,
  vcodec: 'libx264',
  vprofile: 'baseline',
  vpreset: 'faster',
  acodec: 'aac',
  achannels: 0,
} as const;

/**
 * Links of recordings: `{uuid}.m3u8`, `{uuid}/index.m3u8`, `{uuid}/index.mp4`, `{uuid}/poster.jpg`. They need no credential: the uuid is
 * secret.
 */
export const recordLinkPrefix = '/terraform/v1/hooks/record/hls/';
/**
 * The program guide of a channel for viewers: `{stream}.xml` (XMLTV) and `{stream}.json`. Readable by everyone who can watch the stream.
 */
export const channelGuidePrefix = '/terraform/v1/live/channel/guide/';
/** How long a deleted recording can be restored, hours. */
export const recordBinHours = 24;

/** Name of the demo stream in the default app. */
export const demoStreamName = 'demo';
/** Duration of the demo stream, minutes: enough to try the console, without permanent load. */
export const demoStreamMinutes = 30;
/** Tutorial videos with built-in titles: no request to the video site is needed. */
export const tutorialVideos = {
  start: 'BV1844y1L7dL',
  https: 'BV1tZ4y1R7qp',
} as const;
/**
 * Links of cloud recordings: `{uuid}.m3u8` and, while they are on this server, the segments. They need no credential: the uuid is secret.
 */
export const cloudLinkPrefixes = {
  dvr: '/terraform/v1/hooks/dvr/hls/',
  vod: '/terraform/v1/hooks/vod/hls/',
} as const;
