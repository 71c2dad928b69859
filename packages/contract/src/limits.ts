// Every limit of the HTTP API: name, unit, reason.

/** Largest JSON body, bytes. Whole config objects are posted back by old clients; none comes near this. */
export const maxJsonBodyBytes = 1024 * 1024;
/** Longest stream or app name, characters: it becomes a file name, a log field and a URL segment. */
export const maxNameLength = 128;
/**
 * Longest stream name or part of an app, bytes of UTF-8: file systems take 255 (NAME_MAX) for a whole file name, and what is
 * written behind a name, such as `-{sequence}-{milliseconds}.ts.tmp`, has up to 40. A CJK letter has 3.
 */
export const maxNameBytes = 200;
/** Longest password, characters: the comparison hashes both sides, so length costs CPU. */
export const maxPasswordLength = 256;
/** Longest publish secret, characters: it travels in RTMP URLs, which encoders cut at 255. */
export const maxPublishSecretLength = 128;
/** Longest footer or title text, characters. */
export const maxBeianTextLength = 512;
/** Highest bitrate limit that can be set for a source, kbit/s: beyond any encoder, so that a typing error is caught. */
export const maxSourceBitrateKbps = 1_000_000;
/** Most audit entries one call returns: one screen's worth, whatever is asked. */
export const maxAuditPage = 500;
/** Most refusals the live call returns. */
export const maxRefusals = 20;
/** Longest address of a push target or a remote source, characters: platforms give keys of a few hundred. */
export const maxTargetUrlLength = 2048;
/** Longest stream key with its query, characters. */
export const maxStreamKeyLength = 2048;
/** Longest platform key or label, characters. */
export const maxLabelLength = 128;
/** Most forward targets and most virtual live targets: each may be a process of 60 MB. */
export const maxPushTargets = 100;
/** Most files of one virtual live playlist. */
export const maxPlaylistFiles = 200;
/** Largest uploaded file, bytes: two days of 5 Mbit/s. */
export const maxUploadBytes = 100 * 1024 ** 3;
/** Largest file of a watermark, bytes: in Base64 it fits into one JSON body. */
export const maxWatermarkBytes = 512 * 1024;
/** Consoles that are pushed figures at the same time: each holds one of the gateway's connections to the control plane. */
export const maxEventStreams = 100;
/** Workers a snapshot names: all a screen shows; the counts are of all. */
export const maxMonitorWorkers = 30;
/** Streams with their outputs that one answer about viewers names: all a screen shows. */
export const maxViewerRows = 50;
/** Events one answer carries. */
export const maxMonitorEvents = 100;
/** Lines of FFmpeg kept per worker. */
export const maxWorkerLogLines = 200;
/** Longest opaque text of the callbacks, characters: it travels with each of them. */
export const maxHookOpaqueLength = 4096;
/** Callbacks kept in the delivery log. */
export const maxHookDeliveries = 200;
/** Longest PEM text of a certificate chain or key, characters: a chain of ten is about 20,000. */
export const maxPemLength = 64 * 1024;
/** Longest host name, characters (RFC 1035 §2.3.4). */
export const maxDomainLength = 253;
/** Longest mail address, characters (RFC 5321 §4.5.3.1.3, without the brackets). */
export const maxEmailLength = 254;
/** Most name filters of local recording, and the longest one, characters. */
export const maxRecordGlobs = 100;
/** Most streams that are recorded, or not, by a choice of their own: more than one operator keeps in mind. */
export const maxRecordChoices = 500;
export const maxGlobLength = 300;
/** Longest path of a folder, characters. */
export const maxPathLength = 1024;
/** Longest search text, characters. */
export const maxSearchLength = 128;
/** Most recordings one page returns; without a page all are returned, as existing clients expect. */
export const maxRecordPage = 1_000;
/** Most streaming hours per month that can be set: 1,000 streams around the clock, so that a typing error is caught. */
export const maxUsageHours = 744_000;
/** Shortest upgrade window, hours: an upgrade and a way back must fit. */
export const minUpgradeWindowHours = 3;
/** Most proxied paths: each request to an unknown path is compared with all of them. */
export const maxProxyLocations = 50;
/** Most backend servers of a load balancer configuration. */
export const maxBackends = 32;
/** Longest id of a node that is asked for, characters: those that are made have 16. */
export const maxNodeIdLength = 64;
/** Longest SSH public key, characters: RSA of 16,384 bits has 2,900. */
export const maxPublicKeyLength = 8 * 1024;
/** Shortest RSA key taken, bits: below it an SSH server of today refuses. */
export const minRsaKeyBits = 2_048;
/** Longest id or key of the cloud account, characters: Tencent's have 36 and 32. */
export const maxCloudSecretLength = 128;
/** Longest access key or secret key of a bucket, characters: some providers give keys of 128, temporary ones are not taken. */
export const maxBucketKeyLength = 256;
/** Longest name of a bucket, characters: S3 has 63; with the account in front, as some providers write it, more. */
export const maxBucketNameLength = 128;
/** Longest name of a region, characters. */
export const maxBucketRegionLength = 64;
/** Longest beginning of every key, characters: with the rest it stays far below the 1,024 bytes of S3. */
export const maxBucketPrefixLength = 200;
/** Longest window that viewers can rewind to, minutes: a day. */
export const maxRewindMinutes = 24 * 60;
/** Least room for all rewind windows together, bytes: a minute of 10 Mbit/s. */
export const leastRewindBytes = 100 * 1024 ** 2;
/** Most patterns of streams that can be rewound. */
export const maxRewindPatterns = 100;
/** Most rewind windows one call tells of: more than a page shows. */
export const maxRewindWindows = 1_000;
/** Longest time recordings are kept when they are removed by themselves at all, days: a hundred years. */
export const maxKeptDays = 36_500;
/** Least room for recordings that can be set, bytes: less would remove each one as soon as it is finished. */
export const leastKeptBytes = 100 * 1024 ** 2;
/** Most, bytes: beyond any disk, so that a typing error is caught. */
export const maxKeptBytes = 1024 ** 5;
/** Longest date and time, characters: one with fractions and offset has 35. */
export const maxTimeTextLength = 40;
/** Most rules of who may watch: more than one operator keeps in mind; a new stream is compared with all of them. */
export const maxWatchRules = 100;
/** Longest life of a link to watch, seconds: ten years, so that a typing error is caught. */
export const maxWatchLinkSeconds = 10 * 366 * 86_400;
/** Keys to sign links with: the one in use and the one that follows it. */
export const maxWatchKeys = 2;
/** Most entries of what the page for viewers looks like: a stream is compared with all of them once. */
export const maxWatchPageLooks = 100;
/** Longest heading of the page for viewers, characters: link previews cut it at 60 to 90. */
export const maxWatchPageNameLength = 120;
/** Longest text below it, characters: link previews cut it at 200. */
export const maxWatchPageTextLength = 500;
/** Most named stream keys: a thousand customers; each publisher is compared with one alone. */
export const maxStreamKeys = 1_000;
/** Most viewers in one report of a gateway: more than come between two, so that a broken sender cannot move the counter by much. */
export const maxPlaysPerReport = 100_000;
/** Most HLS segments a gateway tells of in one call, about 1 KB each: those that a hundred streams finish within a second. */
export const maxSegmentsPerCall = 100;
