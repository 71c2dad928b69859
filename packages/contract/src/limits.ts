// Limits of the HTTP API with their units.

/** Maximum JSON body, bytes. Older clients send complete configuration objects, which are far smaller. */
export const maxJsonBodyBytes = 1024 * 1024;
/** Maximum length of a stream or app name, characters. Names become file names, log fields and URL segments. */
export const maxNameLength = 128;
/**
 * Maximum length of a stream name or part of an app, bytes of UTF-8; a CJK character takes 3. File systems allow 255 per file name
 * (NAME_MAX), of which a suffix such as `-{sequence}-{milliseconds}.ts.tmp` takes up to 40.
 */
export const maxNameBytes = 200;
/** Maximum password length, characters. The server hashes each submitted password, so the length costs CPU time. */
export const maxPasswordLength = 256;
/** Maximum length of the publish secret, characters. RTMP URLs contain the secret, and encoders truncate URLs at 255 characters. */
export const maxPublishSecretLength = 128;
/** Maximum length of a footer or title text, characters. */
export const maxBeianTextLength = 512;
/** Maximum bitrate limit for a source, kbit/s. Larger values are typing errors, because no encoder exceeds this bitrate. */
export const maxSourceBitrateKbps = 1_000_000;
/** Maximum number of audit entries in a response. Calls that request more are refused. */
export const maxAuditPage = 500;
/** Maximum number of refusals in the response of the live call. */
export const maxRefusals = 20;
/** Maximum length of a push target or remote source address, characters. Platforms issue keys of a few hundred characters. */
export const maxTargetUrlLength = 2048;
/** Maximum length of a stream key with its query, characters. */
export const maxStreamKeyLength = 2048;
/** Maximum length of a platform key or label, characters. */
export const maxLabelLength = 128;
/** Maximum number of forward targets, of virtual live targets, and of cameras. Each may need a process of 60 MB. */
export const maxPushTargets = 100;
/** Maximum delay of a forward, seconds. The media server keeps delayed media in memory. */
export const maxForwardDelaySeconds = 60;
/** Video bitrates of an encoded forward, kbit/s: 240p to 4K at 60 frames per second. */
export const forwardBitrates = { min: 300, max: 50_000 } as const;
/** Maximum number of files in a virtual live playlist. */
export const maxPlaylistFiles = 200;
/** Maximum size of an uploaded file, bytes: two days at 5 Mbit/s. */
export const maxUploadBytes = 100 * 1024 ** 3;
/** Maximum size of an uploaded image, bytes: watermark, slate, watch page. In Base64, the file must fit into one JSON body. */
export const maxWatermarkBytes = 512 * 1024;
/** Maximum number of simultaneous event streams. Each stream occupies a connection from the gateway to the control plane. */
export const maxEventStreams = 100;
/** Maximum number of workers in a snapshot, for one screen. Totals include all workers. */
export const maxMonitorWorkers = 30;
/** Maximum number of streams with outputs in a response about viewers, for one screen. */
export const maxViewerRows = 50;
/** Maximum number of events in a response. */
export const maxMonitorEvents = 100;
/** Maximum number of FFmpeg log lines kept per worker. */
export const maxWorkerLogLines = 200;
/** Maximum length of the opaque text of callbacks, characters. Every callback contains this text. */
export const maxHookOpaqueLength = 4096;
/** Maximum number of callbacks in the delivery log. */
export const maxHookDeliveries = 200;
/** Maximum length of a PEM certificate chain or key, characters. A chain of ten certificates has about 20,000. */
export const maxPemLength = 64 * 1024;
/** Maximum length of a host name, characters (RFC 1035 §2.3.4). */
export const maxDomainLength = 253;
/** Maximum length of a mail address, characters (RFC 5321 §4.5.3.1.3, without the brackets). */
export const maxEmailLength = 254;
/** Maximum number of name filters of local recording. */
export const maxRecordGlobs = 100;
/** Maximum number of streams with their own recording choice, more than an operator can keep track of. */
export const maxRecordChoices = 500;
/** Maximum length of a name filter, characters. */
export const maxGlobLength = 300;
/** Maximum length of a folder path or a proxied URL path, characters. */
export const maxPathLength = 1024;
/** Maximum length of a search text, characters. */
export const maxSearchLength = 128;
/** Maximum number of recordings per page. Requests without paging return all recordings, as older clients expect. */
export const maxRecordPage = 1_000;
/** Minimum duration of a file in a split recording, seconds: a few segments. */
export const leastSplitSeconds = 10;
/** Maximum duration of a file in a split recording, seconds: a week. */
export const maxSplitSeconds = 7 * 86_400;
/** Minimum size of a file in a split recording, bytes: a segment at 8 Mbit/s. */
export const leastSplitBytes = 10 * 1024 ** 2;
/** Maximum number of entries in the recording plan. Each segment of each stream is compared with every entry. */
export const maxPlanEntries = 100;
/** Maximum length of a time zone name, characters. IANA names have at most 32. */
export const maxTimeZoneLength = 64;
/** Minimum interval of a snapshot timer, seconds. Common keyframe intervals are 2 to 10 s. */
export const leastSnapshotSeconds = 5;
/** Maximum interval of a snapshot timer, seconds: a day. */
export const maxSnapshotSeconds = 86_400;
/** Maximum number of timer snapshots kept per stream: one day at an interval of 90 seconds. */
export const maxTimedSnapshots = 1_000;
/** Maximum number of manual snapshots kept per stream. The oldest snapshots are removed first. */
export const maxTakenSnapshots = 100;
/** Maximum number of snapshots of all streams: 4 GB at about 200 KB each. */
export const maxSnapshots = 20_000;
/** Maximum number of snapshot timers. Each live stream is compared with every timer. */
export const maxSnapshotTimers = 50;
/** Maximum length of a recording title, characters: one line in a list. */
export const maxRecordTitleLength = 200;
/** Maximum length of the notes of a recording, characters. The list of all recordings contains the notes. */
export const maxRecordNotesLength = 2_000;
/** Maximum limit of streaming hours per month: 1,000 streams around the clock. Larger values are typing errors. */
export const maxUsageHours = 744_000;
/** Minimum length of the upgrade window, hours: enough for an upgrade and a rollback. */
export const minUpgradeWindowHours = 3;
/** Maximum number of proxied paths. Each request for an unknown path is compared with every entry. */
export const maxProxyLocations = 50;
/** Maximum number of backend servers in a load balancer configuration. */
export const maxBackends = 32;
/** Maximum length of a node id in a request, characters. Generated ids have 16. */
export const maxNodeIdLength = 64;
/** Maximum length of an SSH public key, characters. RSA keys of 16,384 bits have 2,900. */
export const maxPublicKeyLength = 8 * 1024;
/** Minimum size of an RSA key, bits. Current SSH servers refuse smaller keys. */
export const minRsaKeyBits = 2_048;
/** Maximum length of a cloud account's id or key, characters. Tencent's have 36 and 32. */
export const maxCloudSecretLength = 128;
/**
 * Maximum length of an access key or secret key of a bucket, characters. Some providers issue keys of 128. Temporary credentials, which are
 * longer, are not supported.
 */
export const maxBucketKeyLength = 256;
/** Maximum length of a bucket name, characters. S3 allows 63; some providers prepend the account. */
export const maxBucketNameLength = 128;
/** Maximum length of a region name, characters. */
export const maxBucketRegionLength = 64;
/** Maximum length of the key prefix, characters. The complete key stays far below the S3 limit of 1,024 bytes. */
export const maxBucketPrefixLength = 200;
/** Maximum delay before a slate, seconds. Viewers and platforms wait this long without media. */
export const longestSlateWaitSeconds = 25;
/** Maximum duration of a slate, minutes: a day. */
export const longestSlateMinutes = 24 * 60;
/** Maximum number of streams with a backup source. */
export const maxBackupSources = 50;
/** Maximum length of a slate title, characters: four lines of Chinese in a 16:9 frame. */
export const maxSlateTitleLength = 60;
/** Maximum length of a slate's second line, characters: four lines of Chinese in a 16:9 frame. */
export const maxSlateTextLength = 120;
/** Maximum part of a clip that a slate repeats, seconds. The encoded clip is kept in memory. */
export const longestSlateClipSeconds = 60;
/** Width and height of a stream that starts with its slate, pixels. */
export const slateFrameSides = { min: 160, max: 3_840 } as const;
/** Frame rates for streams that start with their slate. */
export const slateStartRates = [24, 25, 30, 50, 60] as const;
/** Maximum number of streams that start with their slate simultaneously. */
export const maxSlateStarts = 10;
/** Maximum number of stream patterns for slates. */
export const maxSlatePatterns = 100;
/** Maximum length of the rewind window, minutes: a day. */
export const maxRewindMinutes = 24 * 60;
/** Minimum total size of all rewind windows, bytes: more than a minute at 10 Mbit/s. */
export const leastRewindBytes = 100 * 1024 ** 2;
/** Maximum number of stream patterns for rewinding. */
export const maxRewindPatterns = 100;
/** Maximum number of rewind windows in a response. Pages show fewer. */
export const maxRewindWindows = 1_000;
/** Maximum retention of recordings, days: a hundred years. */
export const maxKeptDays = 36_500;
/** Minimum size limit of the retention, bytes. Smaller limits would remove every recording when finished. */
export const leastKeptBytes = 100 * 1024 ** 2;
/** Maximum size limit of the retention, bytes. Larger values are typing errors, because no disk has this size. */
export const maxKeptBytes = 1024 ** 5;
/** Maximum length of a date and time, characters. A time with fractions and offset has 35. */
export const maxTimeTextLength = 40;
/** Maximum number of access rules, more than an operator can keep track of. Each new stream is compared with every rule. */
export const maxWatchRules = 100;
/** Maximum validity of a signed link, seconds: ten years. Larger values are typing errors. */
export const maxWatchLinkSeconds = 10 * 366 * 86_400;
/** Maximum number of signing keys: the current key and its successor. */
export const maxWatchKeys = 2;
/** Maximum number of appearance entries of watch pages. Each stream is compared with every entry once. */
export const maxWatchPageLooks = 100;
/** Maximum length of the watch page's heading, characters. Link previews truncate headings at 60 to 90. */
export const maxWatchPageNameLength = 120;
/** Maximum length of the watch page's description, characters. Link previews truncate descriptions at 200. */
export const maxWatchPageTextLength = 500;
/** Maximum number of stream keys: a thousand customers with one key each. A publisher is compared with only one key. */
export const maxStreamKeys = 1_000;
/**
 * Maximum number of viewers in a gateway's report, more than can join between two reports. A faulty sender cannot add more viewers to the
 * counter.
 */
export const maxPlaysPerReport = 100_000;
/** Maximum number of HLS segments in a gateway's call, about 1 KB each: the segments that a hundred streams finish within a second. */
export const maxSegmentsPerCall = 100;
/** Heights, frame rates and bitrates (kbit/s) of channels. All files of a channel are converted to the channel's values. */
export const channelHeights = [360, 480, 720, 1080] as const;
export const channelRates = [25, 30, 50, 60] as const;
export const channelBitrates = { min: 300, max: 20_000 } as const;
/** Maximum number of items in a channel's playlist. The server resolves the files of each item every five seconds. */
export const maxChannelItems = 200;
/** Maximum number of weekly entries of a channel. Every entry is evaluated for each day of the schedule. */
export const maxWeeklyEntries = 100;
/** Maximum duration of a break or weekly entry, minutes: a day. */
export const maxChannelMinutes = 1_440;
/** Maximum length of a requested program guide, hours: a week. */
export const maxProgrammeHours = 168;
/** Maximum number of live rooms. All rooms are in memory, because each new publisher is compared with every room. */
export const maxRooms = 100;
/** Maximum length of a live room's title, characters: a few lines on a phone. */
export const maxRoomTitleLength = 200;
/** Maximum length of a name, key or address in the settings of a live room, characters. */
export const maxRoomTextLength = 512;
/**
 * Maximum length of a prompt in the settings of a live room, characters. The prompts of 100 rooms with three prompts each have at most 1.3
 * million characters.
 */
export const maxRoomPromptLength = 4_096;
/** Maximum number of unexpired invitations per live room. */
export const maxRoomInvitations = 50;
/** Maximum validity of an invitation, hours: a year. Larger values are typing errors. */
export const maxInvitationHours = 366 * 24;
/** Maximum length of an invitation, characters. Valid invitations have 86. */
export const maxInvitationLength = 200;
