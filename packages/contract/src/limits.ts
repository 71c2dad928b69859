// Every limit of the HTTP API: name, unit, reason.

/** Largest JSON body, bytes. Older clients send back complete configuration objects, which are far smaller. */
export const maxJsonBodyBytes = 1024 * 1024;
/** Longest stream or app name, characters: it becomes a file name, a log field and a URL segment. */
export const maxNameLength = 128;
/**
 * Longest stream name or part of an app, bytes of UTF-8. File systems allow 255 (NAME_MAX) for a file name, and the suffix, such as
 * `-{sequence}-{milliseconds}.ts.tmp`, takes up to 40. A CJK character takes 3.
 */
export const maxNameBytes = 200;
/** Longest password, characters: the comparison hashes both sides, so the length costs CPU time. */
export const maxPasswordLength = 256;
/** Longest publish secret, characters: it is part of RTMP URLs, which encoders truncate at 255. */
export const maxPublishSecretLength = 128;
/** Longest footer or title text, characters. */
export const maxBeianTextLength = 512;
/** Highest bitrate limit for a source, kbit/s: beyond any encoder, to catch typing errors. */
export const maxSourceBitrateKbps = 1_000_000;
/** Maximum number of audit entries that one call returns, whatever limit it requests. */
export const maxAuditPage = 500;
/** Maximum number of refusals that the live call returns. */
export const maxRefusals = 20;
/** Longest address of a push target or a remote source, characters: platforms give keys of a few hundred. */
export const maxTargetUrlLength = 2048;
/** Longest stream key with its query, characters. */
export const maxStreamKeyLength = 2048;
/** Longest platform key or label, characters. */
export const maxLabelLength = 128;
/** Maximum number of forward targets, and of virtual live targets: each may need a process of 60 MB. */
export const maxPushTargets = 100;
/** Longest delay of a forward, seconds: the delayed media is in the memory of the media server. */
export const maxForwardDelaySeconds = 60;
/** Video bitrate of a forward that is encoded, kbit/s: from 240p to 4K at 60 frames per second. */
export const forwardBitrates = { min: 300, max: 50_000 } as const;
/** Maximum number of files of a virtual live playlist. */
export const maxPlaylistFiles = 200;
/** Largest uploaded file, bytes: two days of 5 Mbit/s. */
export const maxUploadBytes = 100 * 1024 ** 3;
/** Largest file of a watermark, bytes; in Base64 it must fit into one JSON body. */
export const maxWatermarkBytes = 512 * 1024;
/** Maximum number of consoles with an event stream at the same time: each takes one of the gateway's connections to the control plane. */
export const maxEventStreams = 100;
/** Maximum number of workers listed in a snapshot, as many as a screen shows; the counts include all. */
export const maxMonitorWorkers = 30;
/** Maximum number of streams with their outputs in one response about viewers, as many as a screen shows. */
export const maxViewerRows = 50;
/** Maximum number of events in one response. */
export const maxMonitorEvents = 100;
/** FFmpeg log lines kept per worker. */
export const maxWorkerLogLines = 200;
/** Longest opaque text of the callbacks, characters: each callback contains it. */
export const maxHookOpaqueLength = 4096;
/** Callbacks kept in the delivery log. */
export const maxHookDeliveries = 200;
/** Longest PEM text of a certificate chain or key, characters: a chain of ten is about 20,000. */
export const maxPemLength = 64 * 1024;
/** Longest host name, characters (RFC 1035 §2.3.4). */
export const maxDomainLength = 253;
/** Longest mail address, characters (RFC 5321 §4.5.3.1.3, without the brackets). */
export const maxEmailLength = 254;
/** Maximum number of name filters of local recording. */
export const maxRecordGlobs = 100;
/** Maximum number of streams with their own recording choice: more than an operator can keep track of. */
export const maxRecordChoices = 500;
/** Maximum length of a name filter, characters. */
export const maxGlobLength = 300;
/** Longest path of a folder, characters. */
export const maxPathLength = 1024;
/** Longest search text, characters. */
export const maxSearchLength = 128;
/** Maximum number of recordings on one page; without paging all are returned, as existing clients expect. */
export const maxRecordPage = 1_000;
/** Shortest duration of a file of a split recording, seconds: a few segments. */
export const leastSplitSeconds = 10;
/** Longest duration of a file of a split recording, seconds: a week. */
export const maxSplitSeconds = 7 * 86_400;
/** Smallest size of a file of a split recording, bytes: a segment of 8 Mbit/s. */
export const leastSplitBytes = 10 * 1024 ** 2;
/** Maximum number of entries of the recording plan: each segment of each stream is compared with all of them. */
export const maxPlanEntries = 100;
/** Longest name of a time zone, characters: IANA names have at most 32. */
export const maxTimeZoneLength = 64;
/** Shortest interval of a snapshot timer, seconds; the usual distance of keyframes is 2 to 10 s. */
export const leastSnapshotSeconds = 5;
/** Longest interval of a snapshot timer, seconds: a day. */
export const maxSnapshotSeconds = 86_400;
/** Maximum number of snapshots that a timer keeps per stream: a day with one every 90 seconds. */
export const maxTimedSnapshots = 1_000;
/** Maximum number of snapshots taken by call that are kept per stream; the oldest are removed first. */
export const maxTakenSnapshots = 100;
/** Maximum number of snapshots of all streams: at about 200 KB each 4 GB. */
export const maxSnapshots = 20_000;
/** Maximum number of snapshot timers: each live stream is compared with all of them. */
export const maxSnapshotTimers = 50;
/** Longest title of a recording, characters: a line on a phone and in a list. */
export const maxRecordTitleLength = 200;
/** Longest notes of a recording, characters: the list of all recordings contains them. */
export const maxRecordNotesLength = 2_000;
/** Highest limit of streaming hours per month: 1,000 streams around the clock, to catch typing errors. */
export const maxUsageHours = 744_000;
/** Shortest upgrade window, hours: enough for an upgrade and a rollback. */
export const minUpgradeWindowHours = 3;
/** Maximum number of proxied paths: each request to an unknown path is compared with all of them. */
export const maxProxyLocations = 50;
/** Maximum number of backend servers of a load balancer configuration. */
export const maxBackends = 32;
/** Longest node id in a request, characters: generated ids have 16. */
export const maxNodeIdLength = 64;
/** Longest SSH public key, characters: RSA of 16,384 bits has 2,900. */
export const maxPublicKeyLength = 8 * 1024;
/** Smallest RSA key accepted, bits: current SSH servers refuse smaller ones. */
export const minRsaKeyBits = 2_048;
/** Longest id or key of the cloud account, characters: Tencent's have 36 and 32. */
export const maxCloudSecretLength = 128;
/**
 * Longest access key or secret key of a bucket, characters. Some providers issue keys of 128; longer, temporary credentials are not
 * supported.
 */
export const maxBucketKeyLength = 256;
/** Longest name of a bucket, characters: S3 allows 63; some providers add the account as a prefix. */
export const maxBucketNameLength = 128;
/** Longest name of a region, characters. */
export const maxBucketRegionLength = 64;
/** Longest key prefix, characters; the complete key stays far below the limit of S3, 1,024 bytes. */
export const maxBucketPrefixLength = 200;
/** Longest delay before a slate, seconds: a silent publisher is disconnected after 30. */
export const longestSlateWaitSeconds = 25;
/** Longest duration of a slate, minutes: a day. */
export const longestSlateMinutes = 24 * 60;
/** Maximum number of streams with a backup source. */
export const maxBackupSources = 50;
/** Longest title of a slate, characters: four lines of Chinese in a 16:9 frame. */
export const maxSlateTitleLength = 60;
/** Longest second line of a slate, characters: four lines of Chinese in a 16:9 frame. */
export const maxSlateTextLength = 120;
/** Longest part of a clip that a slate repeats, seconds: the file is kept in memory. */
export const longestSlateClipSeconds = 60;
/** Frame size of a stream that starts with its slate, pixels. */
export const slateFrameSides = { min: 160, max: 3_840 } as const;
/** Frame rates of a stream that starts with its slate. */
export const slateStartRates = [24, 25, 30, 50, 60] as const;
/** Maximum number of streams that start with their slate at the same time. */
export const maxSlateStarts = 10;
/** Maximum number of patterns of streams with a slate. */
export const maxSlatePatterns = 100;
/** Longest rewind window, minutes: a day. */
export const maxRewindMinutes = 24 * 60;
/** Smallest total size of all rewind windows, bytes: a minute of 10 Mbit/s. */
export const leastRewindBytes = 100 * 1024 ** 2;
/** Maximum number of stream patterns with rewind. */
export const maxRewindPatterns = 100;
/** Maximum number of rewind windows that one call lists: more than a page shows. */
export const maxRewindWindows = 1_000;
/** Longest retention of recordings, days: a hundred years. */
export const maxKeptDays = 36_500;
/** Smallest size limit of the retention, bytes: a smaller one would remove each recording as soon as it is finished. */
export const leastKeptBytes = 100 * 1024 ** 2;
/** Largest size limit of the retention, bytes: beyond any disk, to catch typing errors. */
export const maxKeptBytes = 1024 ** 5;
/** Longest date and time, characters: one with fractions and offset has 35. */
export const maxTimeTextLength = 40;
/** Maximum number of access rules: more than an operator can keep track of; a new stream is matched against all of them. */
export const maxWatchRules = 100;
/** Longest validity of a signed link, seconds: ten years, to catch typing errors. */
export const maxWatchLinkSeconds = 10 * 366 * 86_400;
/** Maximum number of signing keys: the current one and its successor. */
export const maxWatchKeys = 2;
/** Maximum number of entries of the watch page's appearance: a stream is matched against all of them once. */
export const maxWatchPageLooks = 100;
/** Longest heading of the watch page, characters: link previews truncate it at 60 to 90. */
export const maxWatchPageNameLength = 120;
/** Longest description of the watch page, characters: link previews truncate it at 200. */
export const maxWatchPageTextLength = 500;
/** Maximum number of stream keys: one for each of a thousand customers. A publisher is compared with only one of them. */
export const maxStreamKeys = 1_000;
/**
 * Maximum number of viewers in one report of a gateway: more than can join between two reports, so that a faulty sender cannot distort the
 * counter.
 */
export const maxPlaysPerReport = 100_000;
/**
 * Maximum number of HLS segments that a gateway reports in one call, about 1 KB each: as many as a hundred streams finish within a second.
 */
export const maxSegmentsPerCall = 100;
/** Heights, frame rates and bitrates (kbit/s) of channels; all files of a channel are prepared for the same values. */
export const channelHeights = [360, 480, 720, 1080] as const;
export const channelRates = [25, 30, 50, 60] as const;
export const channelBitrates = { min: 300, max: 20_000 } as const;
/** Maximum number of items of a channel's playlist: their state is checked every two seconds. */
export const maxChannelItems = 200;
/** Maximum number of weekly entries of a channel: each day of the schedule is computed from all of them. */
export const maxWeeklyEntries = 100;
/** Longest break or weekly entry, minutes: a day. */
export const maxChannelMinutes = 1_440;
/** Longest program guide that one call computes, hours: a week. */
export const maxProgrammeHours = 168;
/** Maximum number of live rooms: all are in memory, because each new publisher is compared with them. */
export const maxRooms = 100;
/** Longest title of a live room, characters: a few lines on a guest's phone. */
export const maxRoomTitleLength = 200;
/** Longest name, key or address in the settings of a live room, characters. */
export const maxRoomTextLength = 512;
/** Longest prompt in the settings of a live room, characters: with 100 rooms of three prompts the document stays below 2 MB. */
export const maxRoomPromptLength = 4_096;
/** Maximum number of unexpired invitations of one live room. */
export const maxRoomInvitations = 50;
/** Longest validity of an invitation, hours: a year, to catch typing errors. */
export const maxInvitationHours = 366 * 24;
/** Longest invitation that is parsed, characters: a valid one has 77. */
export const maxInvitationLength = 200;
