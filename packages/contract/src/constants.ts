// Constants shared by servers and console.

export const productName = 'SRS Stack';
export const defaultLocale = 'zh';
/** Languages of the console. A new language needs a line here and a folder of texts. `name` is in the language itself. */
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

/** Default bitrate limit of virtual live and camera sources, kbit/s. */
export const defaultSourceBitrateKbps = 5_000;
/** Path of the OpenAPI document. Requires no credential, and the response has no envelope. */
export const openApiPath = '/terraform/v1/openapi.json';
/**
 * Event stream for GET and POST. The credential is `token` in the JSON body or `Authorization: Bearer`, never in the URL. `Last-Event-ID`
 * is the id of the last received `happened` event; without this header, the server sends the newest events.
 */
export const eventStreamPath = '/terraform/v1/mgmt/monitor/events';
/** Liveness: responds while the process works, so that a supervisor can restart a hung process. Requires no credential. */
export const healthPath = '/healthz';
/** Readiness for load balancers: 200 if the server accepts new publishers and viewers, else 503 with the reason. Requires no credential. */
export const readyPath = '/readyz';
/** Prometheus metrics, text format 0.0.4. Requires the API secret, a session bearer or `METRICS_TOKEN` as bearer. */
export const metricsPath = '/metrics';
/**
 * Multipart upload; the file name follows the path. The credential is a bearer header, or a session token in the query or in the form field
 * `token`.
 */
export const uploadPath = '/terraform/v1/ffmpeg/vlive/upload/';
/**
 * Resumable upload (tus 1.0.0, metadata `filename`). The credential is a bearer header, or a session token in the query. The upload id
 * becomes the uuid of the library file.
 */
export const resumableUploadPath = '/terraform/v1/ffmpeg/vlive/uploads';
/** File extensions accepted for browser uploads, and for files on the server. */
export const uploadExtensions = ['.mp4', '.flv', '.ts'] as const;
export const serverFileExtensions = ['.mp4', '.flv', '.ts', '.mkv', '.mov', '.mp3', '.aac', '.m4a'] as const;

/** Limits of the transcoder settings; bitrates in kbit/s. */
export const transcodeRules = {
  vbitrate: { min: 100, max: 100_000 },
  abitrate: { min: 10, max: 1_000 },
  vcodec: ['libx264'],
  vprofile: ['baseline', 'main', 'high'],
  vpreset: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'],
  acodec: ['aac'],
  achannels: [0, 1, 2],
} as const;
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
 * Recordings: `{uuid}.m3u8`, `{uuid}/index.m3u8`, `{uuid}/index.mp4`, `{uuid}/poster.jpg`. The secret uuid replaces a credential.
 * Recordings of protected streams also require playback authorization (`watch=…`).
 */
export const recordLinkPrefix = '/terraform/v1/hooks/record/hls/';
/** Program guide of a channel: `{stream}.xml` (XMLTV) and `{stream}.json`, readable for everyone who may watch the stream. */
export const channelGuidePrefix = '/terraform/v1/live/channel/guide/';
/** Hours for which a deleted recording can be restored. */
export const recordBinHours = 24;

export const demoStreamName = 'demo';
/** Duration of the demo stream, minutes: long enough for a trial, without permanent load. */
export const demoStreamMinutes = 30;
/** Tutorial videos with built-in titles, which need no request to the video site. */
export const tutorialVideos = {
  start: 'BV1844y1L7dL',
  https: 'BV1tZ4y1R7qp',
} as const;
/** Cloud recordings: `{uuid}.m3u8`, and the segments while they are on this server. The secret uuid replaces a credential. */
export const cloudLinkPrefixes = {
  dvr: '/terraform/v1/hooks/dvr/hls/',
  vod: '/terraform/v1/hooks/vod/hls/',
} as const;
