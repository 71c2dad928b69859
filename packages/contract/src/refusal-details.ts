// Details of refused calls. `message` in the response is the English message of the error code, followed by the detail. The console
// translates the detail; `shared/errors/locales` has the translations.
import { type NamesIn, type Phrase, phrasesOf } from './phrases.ts';

export const refusalDetails = {
  verbatim: '{words}',

  'fields.list': '{issues}',
  'fields.missing': '{field}: is missing',
  'fields.type': '{field}: expected {expected}',
  'fields.too-long': '{field}: at most {maximum} characters',
  'fields.too-many': '{field}: at most {maximum} entries',
  'fields.too-large': '{field}: at most {maximum}',
  'fields.too-short': '{field}: at least {minimum} characters',
  'fields.too-few': '{field}: at least {minimum} entries',
  'fields.too-small': '{field}: at least {minimum}',
  'fields.above': '{field}: must be more than {minimum}',
  'fields.below': '{field}: must be less than {maximum}',
  'fields.choice': '{field}: must be one of {choices}',
  'fields.form': '{field}: does not have the expected form',
  'fields.other': '{field}: {words}',

  'address.spaces': 'the address contains spaces or control characters',
  'address.scheme': 'the address must begin with {schemes}',
  'address.never-contacted': '{host} is a link-local or special address, which is never contacted',
  'address.srt-listens': 'an SRT address must use caller mode, not listener mode',
  'address.datagrams':
    'a UDP source needs a numeric address and a port, such as udp://@239.1.1.1:5000, udp://:5000 or rtp://192.168.1.2:5000',
  'address.host-unknown': 'the host name {host} cannot be resolved',

  'callback.not-a-url': 'the target is not a URL',
  'callback.scheme': 'the target must begin with http:// or https://',
  'callback.special-address': 'the target is a link-local or special address, which is never contacted',

  'bucket.endpoint': 'the endpoint of the object storage is missing',
  'bucket.endpoint-form': 'the endpoint must consist of scheme, host and port only, such as https://s3.example.com',
  'bucket.name': 'the name of the bucket is missing',
  'bucket.name-form': 'the name of the bucket contains invalid characters',
  'bucket.keys': 'access key and secret key are missing',
  'bucket.both-keys': 'access key and secret key must be changed together',
  'bucket.prefix':
    'the prefix may contain letters, digits, - _ . and slashes, but no part between slashes may be . or ..',

  'session.ended': 'the session has expired or was ended',
  'session.bearer-wrong': 'the Authorization header contains neither the API secret nor a valid session bearer',
  'session.missing': 'the request has neither a token nor an Authorization header',
  'store.named': '{store} is not ready, retry later',
  'store.away': '{store} does not respond. Save your changes again when the store is available',
  'store.slow': '{store} did not respond in time. Check whether the change was saved',
  'store.denied': '{store} refuses the password of this server, or the user lacks a permission. Nothing can be saved',
  'store.full': '{store} is out of memory, so nothing can be saved',
  'store.disk': '{store} cannot write to its disk, so nothing can be saved',
  'store.read-only': '{store} is read-only, so nothing can be saved',
  'store.gone':
    '{store} is empty, or it is not the store that this server used before. Nothing is saved until you restore the backup of the previous store',
  'store.refused': '{store} refused the operation: {words}',
  'store.away-too-long':
    '{store} has been unavailable for more than {minutes} minutes. New publishers are refused until the store is available again',

  'certificate.key-instead': 'the certificate field holds a private key; the two fields may be swapped',
  'certificate.request-instead': 'the certificate field holds a signing request (CSR), not a certificate',
  'certificate.no-block': 'the certificate field has no BEGIN CERTIFICATE block',
  'certificate.too-many': 'the certificate field has more than {maximum} certificates',
  'certificate.damaged': 'certificate {number} of {total} is damaged',
  'certificate.certificate-instead': 'the key field holds a certificate; the two fields may be swapped',
  'certificate.passphrase': 'the private key is protected by a passphrase; remove the passphrase first',
  'certificate.no-key-block': 'the key field has no usable PRIVATE KEY block',
  'certificate.own-not-first': 'the first certificate of the chain must be the certificate of the server',
  'certificate.ended': 'the certificate expired on {day}',
  'certificate.begins': 'the certificate is not valid before {day}',
  'certificate.chain-ended': 'certificate {number} of the chain expired on {day}',
  'certificate.chain-begins': 'certificate {number} of the chain is not valid before {day}',
  'certificate.not-the-issuer': 'certificate {issuer} of the chain did not issue certificate {number}',
  'certificate.not-for-servers':
    'the certificate is not allowed for servers: its extended key usage lacks server authentication',
  'certificate.files-gone': 'the certificate files do not exist; upload the certificate again or request a new one',
  'certificate.key-missing': 'the private key is missing',
  'certificate.crt-missing': 'the certificate is missing',
  'certificate.email': 'this is not an email address',
  'certificate.no-http-challenge': 'the certificate authority offers no HTTP-01 challenge',
  'certificate.too-slow': 'the certificate order timed out',

  'domain.empty': 'the domain is empty',
  'domain.host-only': 'enter the host name only, without scheme, port and path',
  'domain.wildcard': 'wildcard certificates are not supported: they need DNS validation',
  'domain.is-an-address': 'this is an IP address, not a host name',
  'domain.not-a-host': 'this is not a host name',
  'domain.not-a-host-or-address': 'this is not a host name or an address',
  'domain.not-public': 'the domain does not end with a public suffix such as .com',
  'domain.unknown': 'DNS has no A or AAAA record for {domain}',
  'domain.dns-silent': 'DNS does not respond ({code})',
  'domain.elsewhere': '{domain}: {findings}',
  'domain.another-server': '{address} belongs to another server',
  'domain.another-answer': '{address} returned HTTP {status}: another server or a proxy responds there',
  'domain.port-closed': '{address} refuses connections to port {port}',
  'domain.unusable-answer': '{address} sent no valid response ({problem})',

  'cloud.not-checked': 'the credentials could not be checked: {words}',
  'cloud.dvr-not-ready': 'the credentials are saved, but DVR is not ready: {words}',
  'cloud.vod-not-ready': 'the credentials are saved and DVR is ready, but VoD is not: {words}',

  'cloud.failed': '{doing}: {what}',
  'cloud.make-bucket': 'cannot create the bucket {bucket}',
  'cloud.open-bucket': 'cannot allow players to read the bucket {bucket}',
  'cloud.upload': 'cannot upload {key}',
  'cloud.unresolved': 'the name of the cloud service cannot be resolved ({code})',
  'cloud.refuses-connection': 'the cloud service refuses the connection ({code})',
  'cloud.silent': 'the cloud service does not respond ({code})',
  'cloud.unknown-answer': 'the response of the cloud service is not in the documented format',
  'cloud.no-storage-region': 'video on demand has no storage region yet. Add one in the cloud account',

  'ssh-key.none': 'the SSH key is missing',
  'ssh-key.private': 'this is a private key, which must stay secret; paste the content of the file that ends in .pub',
  'ssh-key.lines': 'the SSH key must be a single line',
  'ssh-key.type': 'the SSH key must begin with a key type such as {types}',
  'ssh-key.damaged': 'the Base64 part of the key is damaged; copy it again',
  'ssh-key.comment': 'the comment of the key contains invalid characters',
  'ssh-key.too-short': 'an RSA key needs at least {minimum} bits, but this key has {bits}',
  'ssh-key.file': '{path} ({problem})',

  'file.path-missing': 'Please input file path',
  'file.outside': 'The file must be in the /data directory.',
  'file.not-a-file': 'this is not a file',
  'file.empty': 'the file is empty',
  'file.choose-again': 'upload or choose the file again',
  'file.content': 'the content of the file is not {types}',
  'file.ending': 'The file must be in {types} format.',
  'file.too-large': 'the limit is {gib} GiB',
  'file.used-by': 'used by {users}',
  'file.on-node': '{name} is stored on {node}, but all files of a playlist must be on the same server',
  'file.not-a-folder': '{folder} is not a folder inside the data folder',

  'source.address-missing': 'Please input stream URL',
  'source.none': 'Please upload video source',
  'source.no-target': 'a source has no `target` field',
  'source.stream-in-playlist': 'a live stream must be the only source: a playlist can contain only files',
  'source.scheme': 'The stream must be rtmp/http/https/rtsp/srt',
  'source.http-form': 'The HTTP stream must be http-flv/hls',
  'source.bitrate': '{name} has a bitrate of {kbps} kbit/s, but the limit is {maximum} kbit/s',
  'source.unnamed': 'the source',
  'source.other-tracks':
    '{name} has different tracks than the first file; all files of a playlist need the same tracks in the same order',
  'source.no-media': 'the source has neither video nor audio',
  'source.no-answer': 'the source did not respond within {seconds} s',
  'source.leads-to-forbidden': 'the source redirects to a link-local or special address, which is never contacted',
  'source.too-many-samples':
    'the source declares {samples} samples, which would take {mib} MiB of memory; the limit is {maximum} MiB',
  'source.picture-too-large': 'a frame of the source has more than {pixels} pixels',
  'source.limit-memory': 'reading the source takes more than {mib} MiB of memory, the limit for a file of this size',
  'source.limit-cpu': 'reading the source takes more than {seconds} s of processor time',

  'target.platform-missing': 'Please choose a platform',
  'target.platform': 'Invalid platform, should be {platforms} or contain {mark}',
  'target.forward-server-missing': 'Please input streaming server URL',
  'target.vlive-server-missing': 'Please input stream URL',
  'target.label-missing': 'the name is missing',
  'target.too-long': 'a value of the target has more than {maximum} characters',
  'target.not-testable':
    'the target address has options that a test does not support: start the forward to try the target',
  'target.tests-missing': 'the media server in use cannot test targets',
  'target.tests-busy': 'too many target tests are running: try again in a few seconds',
  'target.no-test': 'there is no such target test, or its result has been deleted: start a new test',
  'target.duplicate': 'another target has the same server and key',
  'target.too-many': 'at most {maximum} targets are allowed',
  'target.delay-needs-engine':
    'FFmpeg forwards this target, and FFmpeg cannot delay a stream. FFmpeg is used if FORWARD_WITH=ffmpeg is set, in a cluster, with an external media server, for unusual SRT options, and for targets whose stream is encoded',
  'target.no-forward': 'there is no forward target {platform}',
  'target.no-camera': 'there is no camera {platform}',
  'target.camera-one-source': 'a camera needs exactly one source, and the source must be an address',
  'target.camera-sub-elsewhere': 'a camera can have a sub stream only if its stream is published on this server',
  'target.no-vlive': 'there is no virtual live target {platform}',
  'target.start-time': 'Invalid start time "{text}", should be like 2030-01-31T20:00:00+08:00',

  'onvif.not-authorized': 'the camera refuses the user name or password',
  'onvif.invalid':
    'the response of the camera is not ONVIF: check the address, and that ONVIF is switched on in the camera',
  'onvif.fault': 'the camera refuses the request',
  'onvif.fault-reason': 'the camera refuses the request: {reason}',
  'onvif.too-large': 'the response of the camera is too large',
  'onvif.silent': '{host} did not respond within {seconds} s',
  'onvif.busy': '{host} has not responded to earlier requests yet: wait a few seconds and try again',
  'onvif.certificate':
    'the certificate of {host} is not trusted: if the certificate is self-signed, choose to accept any certificate',
  'onvif.unreachable': '{host} cannot be reached ({code})',
  'onvif.no-ptz': 'pan, tilt and zoom are not set up for this camera',

  'transcode.range': 'Invalid {field} {value}, should be {min} to {max} {unit}',
  'transcode.choice': 'Invalid {field} {value}, should be {choices}',
  'transcode.even': 'Invalid height {height}, should be an even number',
  'transcode.server': 'Invalid server, should be the address of a streaming server',
  'transcode.key': 'Invalid key, should be a stream name',
  'transcode.field.vbitrate': 'vbitrate',
  'transcode.field.abitrate': 'abitrate',
  'transcode.field.vcodec': 'vcodec',
  'transcode.field.vprofile': 'vprofile',
  'transcode.field.vpreset': 'vpreset',
  'transcode.field.acodec': 'acodec',
  'transcode.field.achannels': 'achannels',
  'transcode.field.height': 'height',
  'transcode.field.fps': 'fps',
  'transcode.field.keyframeSeconds': 'keyframeSeconds',
  'transcode.field.marginPercent': 'marginPercent',
  'transcode.field.widthPercent': 'widthPercent',
  'transcode.field.opacityPercent': 'opacityPercent',
  'transcode.unit.kbps': 'Kbps',
  'transcode.unit.rows': 'rows',
  'transcode.unit.fps': 'frames per second',
  'transcode.unit.seconds': 'seconds',
  'transcode.unit.percent': 'percent',

  'watermark.gone': 'the watermark no longer exists, upload it again',
  'watermark.too-large': 'the image is larger than {kib} KiB',
  'watermark.type': 'the image is not a PNG, JPEG or WebP file',
  'watermark.slow': 'the image takes too long to decode',
  'watermark.too-many-pixels': 'the image has more than {pixels} pixels',
  'watermark.over-limit': 'decoding the image exceeds the memory or time limit',
  'watermark.too-detailed': 'the image has too much detail: its PNG would be too large',
  'watermark.undecodable': 'the image cannot be decoded',
  'watermark.undecodable-words': 'the image cannot be decoded: {words}',

  'slate.no-fontconfig': 'the server has no fontconfig: install the packages fontconfig and {fonts}',
  'slate.no-font':
    'no font of the server has the characters {characters}: install the package {fonts}, or remove these characters',
  'slate.undrawable': 'FFmpeg cannot draw the slate: {words}',
  'slate.needs-engine': 'the external media server does not support slates',
  'slate.too-many-starts':
    '{maximum} streams already show their slate and wait for their encoder: stop one of them first',
  'slate.none-started': '{stream} was not started with a slate, or its encoder has already connected',
  'slate.clip-missing': 'the clip is not in the library of this server',
  'slate.clip-length-unknown': 'the length of the clip is unknown',
  'slate.not-begun': 'the media server did not start the stream: see the refused publishers on the Live page',
  'slate.busy': 'too many slates are being drawn: try again in a few seconds',

  'record.filter-backslash': 'the filter "{glob}" ends with a backslash',
  'record.filter-bracket': 'the filter "{glob}" has a [ without a ]',
  'record.too-many-choices':
    '{maximum} streams already have their own recording setting; use name filters for further streams',
  'record.none': 'there is no recording {uuid}',
  'record.no-window': 'the stream {app}/{stream} has no rewind window',
  'record.not-in-window': 'the requested range is not in the rewind window, which is from {since} to {until}',
  'record.moments': 'from and to must be times such as 2026-05-01T12:00:00Z, and from must be before to',
  'record.none-in-bin': 'the recycle bin has no recording {uuid}',
  'record.none-running': 'there is no running recording {uuid}',
  'record.no-cloud-task': 'there is no {kind} task {uuid}',
  'record.keeps-too-little': 'the size limit is so small that it would remove every recording',
  'record.plan-zone': 'this is not the name of a time zone: use a name such as Europe/Berlin',
  'record.plan-when': 'a weekly entry needs days of the week, and a one-time entry needs a date',
  'record.plan-full': 'the recording plan already has {maximum} entries, the maximum; remove one first',
  'record.no-plan-entry': 'the recording plan has no entry {id}',
  'record.snapshot-not-live': 'the stream {app}/{stream} is not live',
  'record.snapshot-no-frame': 'the stream {app}/{stream} has no keyframe yet, or FFmpeg cannot decode its keyframe',
  'record.snapshot-busy': 'too many snapshots are being taken: try again in a moment',
  'record.snapshot-no-room': 'the disk is full, or this server has {maximum} snapshots, the maximum; delete some',
  'record.no-snapshot': 'there is no snapshot {name}',
  'record.splits-too-short': 'the duration limit is shorter than one segment',
  'record.splits-too-small': 'the size limit is smaller than one segment',
  'record.server-stops': 'the server is stopping',

  'proxy.slash': '"{path}" must begin with /',
  'proxy.form': '"{path}" must be /name or /name/name with letters, digits, . _ ~ -',
  'proxy.own': '/{segment} is reserved by this product',
  'proxy.like-a-stream': '"{path}" ends with an extension of stream addresses, such as .m3u8',
  'proxy.path-missing': 'the path to proxy is missing',
  'proxy.backend-missing': 'the backend address is missing',
  'proxy.twice': 'the path {path} is listed twice',
  'backend.scheme': '"{address}" must begin with http:// or https://',
  'backend.parts': 'a backend address may contain host, port and path only',
  'backend.itself': '{host} is this server itself: enter another server',
  'backend.missing': 'a backend server is missing',
  'backend.form': '"{address}" is neither an IP address nor a domain, with or without http:// or https://',
  'backend.twice': 'the backend server {address} is listed twice',
  'backend.mixed': 'all backend servers must use the same protocol',
  'backend.none': 'enter at least one backend server',
  'homepage.missing': 'the home path is missing',
  'homepage.spaces': 'the home path contains spaces, quotes or control characters',
  'homepage.two-slashes': 'the home path must not begin with two slashes, which would lead to another server',
  'homepage.itself': 'the home page / would redirect to itself',
  'homepage.form': 'the home path must begin with /, http:// or https://',

  'password.file':
    'this password would change other settings of that file: use another password, or correct the file manually',
  'password.control-character': 'the password contains a control character',
  'password.quotes': 'the password contains all three kinds of quotes',
  'login.again': 'try again in {seconds} s',
  'login.again-minutes':
    'try again in {minutes} min. Browsers that logged in before are not affected by failed logins of others',
  'origin.before-setup': 'the first password can only be set from the console of this server',
  'origin.not-json': 'the Content-Type of the request must be application/json',

  'stream.no-publisher': 'the stream {url} has no connected publisher',
  'settings.window-minutes': '{start} to {end} is {minutes} minutes',
  'media-server.port-unknown': 'the port of the media server is not known yet',
  'media-server.odd-answer': 'the media server sent an unexpected response to {path}: HTTP {status}',
  'media-server.refused': 'the media server refused {path} with code {code}',
  'media-server.away': 'no response from {servers}',
  'media-server.away-with-client': 'no response from {servers}, to which the client may be connected',
  'media-server.no-clients': 'no media server returned its list of clients',
  'media-server.reload-failed': 'the media server rejected its configuration: {reason}',

  'cluster.no-node': 'there is no server with the id {id}',
  'cluster.node-away': 'the server {name} is down or unreachable',
  'cluster.bins-away':
    'the recycle bins of these servers were not emptied, because they are down or unreachable: {names}',
  'cluster.none': 'this server is not in a cluster: its store is a file',
  'watching.twice': 'the pattern {pattern} is listed twice',
  'watching.no-password': 'the access rule for {pattern} needs a password',
  'watching.no-callback': 'the rule for {pattern} needs callbacks, which are off: set the callback target first',
  'watching.address': '{address} is not an IP address',
  'watching.key-unknown': 'there is no signing key or stream key with the id {id}',
  'watching.picture-gone': 'the image for {pattern} no longer exists, upload it again',
  'watching.stream-key-expired': 'the expiry time is in the past',

  'channel.unknown': 'there is no channel {id}',
  'channel.full': 'at most {maximum} channels are allowed, remove some',
  'channel.stream-taken': 'another channel uses the stream {stream}',
  'channel.stream-name': 'the stream name {stream} contains characters that are not allowed',
  'channel.zone': 'there is no time zone {zone}: use a name such as Europe/Berlin',
  'channel.no-source': 'an item of the schedule has no file, recording or folder',
  'channel.no-length': 'a break in the schedule needs a duration',
  'channel.live-length': 'the live stream {stream} needs a maximum duration',
  'channel.live-name': '{stream} is not the name of a stream: use a name such as live/studio',
  'channel.live-own': '{stream} is the stream of the channel itself: choose another one',
  'channel.off': 'the channel {title} is stopped: start it first',

  'room.unknown': 'there is no live room {uuid}',
  'room.full': 'at most {maximum} live rooms are allowed, remove some',
  'room.stream-taken': 'another live room uses the stream {stream}',
  'room.stream-name': 'the stream name {stream} contains characters that are not allowed',
  'room.invitations-full': 'at most {maximum} invitations of a live room can be valid, revoke some',
  'room.no-invitation': 'there is no invitation {id}',

  'upload.no-file': 'the form has no file',
  'upload.empty': 'the request body is empty',
  'upload.cut': 'the connection was interrupted during the upload',
} as const satisfies Readonly<Record<string, string>>;

export type RefusalDetailKey = keyof typeof refusalDetails;

const parts = [
  /^verbatim$/,
  /^fields\./,
  /^transcode\.(?:field|unit)\./,
  /^domain\.(?:another-server|another-answer|port-closed|unusable-answer)$/,
  /^cloud\.(?:make-bucket|open-bucket|upload|unresolved|refuses-connection|silent|unknown-answer)$/,
  /^source\.unnamed$/,
  /^ssh-key\.file$/,
  /^record\.(?:keeps-too-little|plan-zone|plan-when|splits-too-short|splits-too-small)$/,
];

/** Whether a detail occurs only within another detail, never as a separate message. */
export function isReasonPart(key: string): boolean {
  return parts.some((part) => part.test(key));
}

/** The second argument of `AppError`; created by `because` or `verbatim`. */
export type RefusalDetail = Phrase<'refusal'>;

/** Creates a detail of the catalogue: `because('address.never-contacted', { host })`. The console translates the detail. */
export const because = phrasesOf('refusal', refusalDetails);

/**
 * An untranslated detail: a name, or a message of another program such as FFmpeg or a certificate authority. Also for errors that only
 * authors of API clients see.
 */
export function verbatim(words: string): RefusalDetail {
  return because('verbatim', { words });
}

/** Returns the detail with another English text, such as the message of a library. */
export function inTheWordsOf(text: string, reason: RefusalDetail): RefusalDetail {
  return { ...reason, text };
}

/** Details without values. */
export type PlainReasonKey = {
  [Key in RefusalDetailKey]: [NamesIn<(typeof refusalDetails)[Key]>] extends [never] ? Key : never;
}[RefusalDetailKey];

export function isPlainReason(key: unknown): key is PlainReasonKey {
  return typeof key === 'string' && key in refusalDetails && !refusalDetails[key as RefusalDetailKey].includes('{');
}

/** Last parts of all keys in a group: `ReasonNames<'transcode.unit'>` contains `kbps`. */
export type ReasonNames<Group extends string> = RefusalDetailKey extends infer Key
  ? Key extends `${Group}.${infer Name}`
    ? Name
    : never
  : never;
