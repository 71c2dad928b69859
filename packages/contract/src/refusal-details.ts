// Why a call was refused, beyond the sentence of its error code: what an operator can meet in the console, by key. These
// English texts are part of `message` on the wire and stay as they are; the console has its own in `shared/errors/locales`.
import { type NamesIn, type Phrase, phrasesOf } from './phrases.ts';

export const refusalDetails = {
  /** Words nobody translates; see `verbatim`. */
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
  'fields.above': '{field}: more than {minimum}',
  'fields.below': '{field}: less than {maximum}',
  'fields.choice': '{field}: one of {choices}',
  'fields.form': '{field}: not in the expected form',
  'fields.other': '{field}: {words}',

  'address.spaces': 'it contains spaces or control characters',
  'address.scheme': 'it must begin with {schemes}',
  'address.never-contacted': '{host} is never contacted',
  'address.srt-listens': 'an SRT address must call, not listen',
  'address.host-unknown': 'the host name {host} is not known',

  'callback.not-a-url': 'the target is not a URL',
  'callback.scheme': 'the target must begin with http:// or https://',
  'callback.special-address': 'the target is a link-local or special address',

  'bucket.endpoint': 'the endpoint is missing',
  'bucket.endpoint-form': 'the endpoint must be scheme, host and port alone, as in https://s3.example.com',
  'bucket.name': 'the name of the bucket is missing',
  'bucket.name-form': 'the name of the bucket has characters that no bucket may have',
  'bucket.keys': 'access key and secret key are missing',
  'bucket.both-keys': 'access key and secret key are changed together',
  'bucket.prefix': 'the prefix has empty parts, dots or characters that keys may not have',

  'session.ended': 'the session has expired or was ended',
  'session.bearer-wrong': 'the bearer is neither the API secret nor that of a session',
  'session.missing': 'no token and no Authorization header',
  'store.named': '{store} is not ready, retry later',
  'store.away': '{store} does not answer; what was not saved can be saved when it is back',
  'store.slow': '{store} has not answered in time; look whether the change was saved',
  'store.denied': '{store} does not take the password of this server, or its user lacks a right; nothing can be saved',
  'store.full': '{store} has no memory left, nothing can be saved',
  'store.disk': '{store} cannot write to its disk, nothing can be saved',
  'store.read-only': '{store} is read-only, nothing can be saved',
  'store.gone': '{store} is empty or another one than before, nothing is written to it',
  'store.refused': '{store} has refused: {words}',
  'store.away-too-long': '{store} has been away for more than {minutes} minutes, new publishers wait for it',

  'certificate.key-instead': 'this is a private key, the two fields may be swapped',
  'certificate.request-instead': 'this is a signing request, not a certificate',
  'certificate.no-block': 'there is no BEGIN CERTIFICATE block',
  'certificate.too-many': 'more than {maximum} certificates',
  'certificate.damaged': 'certificate {number} of {total} is damaged',
  'certificate.certificate-instead': 'this is a certificate, the two fields may be swapped',
  'certificate.passphrase': 'it is protected by a passphrase',
  'certificate.no-key-block': 'there is no usable PRIVATE KEY block',
  'certificate.own-not-first': "the server's own certificate is not the first one",
  'certificate.ended': 'it ended on {day}',
  'certificate.begins': 'it begins on {day}',
  'certificate.chain-ended': 'certificate {number} of the chain, it ended on {day}',
  'certificate.chain-begins': 'certificate {number} of the chain, it begins on {day}',
  'certificate.not-the-issuer': 'certificate {issuer} is not the issuer of certificate {number}',
  'certificate.not-for-servers': 'it is not meant for servers',
  'certificate.files-gone': 'the certificate files are gone',
  'certificate.key-missing': 'key: the private key is missing',
  'certificate.crt-missing': 'crt: the certificate is missing',
  'certificate.email': 'email: this is not a mail address',
  'certificate.no-http-challenge': 'the authority offers no HTTP-01 challenge',
  'certificate.too-slow': 'it took too long',

  'domain.empty': 'it is empty',
  'domain.host-only': 'give the host name only, without scheme, port and path',
  'domain.wildcard': 'wildcards need another kind of proof',
  'domain.is-an-address': 'it is an address, not a name',
  'domain.not-a-host': 'it is not a host name',
  'domain.not-a-host-or-address': 'it is not a host name or an address',
  'domain.not-public': 'it has no public ending',
  'domain.unknown': 'DNS knows no address of {domain}',
  'domain.dns-silent': 'DNS does not answer ({code})',
  'domain.elsewhere': '{domain}: {findings}',
  'domain.another-server': '{address} is another server',
  'domain.another-answer': '{address} answers HTTP {status}, so it is another server or a proxy before it',
  'domain.port-closed': '{address} refuses connections to port {port}',
  'domain.unusable-answer': '{address} gives no usable answer ({problem})',

  'cloud.not-checked': 'the credentials could not be checked: {words}',
  'cloud.dvr-not-ready': 'the credentials are kept, DVR is not ready: {words}',
  'cloud.vod-not-ready': 'the credentials are kept and DVR is ready, VoD is not: {words}',

  'cloud.failed': '{doing}: {what}',
  'cloud.make-bucket': 'make the bucket {bucket}',
  'cloud.open-bucket': 'open the bucket {bucket} for players',
  'cloud.upload': 'upload {key}',
  'cloud.unresolved': 'the name of the cloud service cannot be resolved ({code})',
  'cloud.refuses-connection': 'the cloud service refuses the connection ({code})',
  'cloud.silent': 'the cloud does not answer ({code})',
  'cloud.unknown-answer': 'the answer is not as documented',
  'cloud.no-storage-region': 'video on demand has no storage region yet, open one',

  'ssh-key.none': 'no key was given',
  'ssh-key.private': 'this is a private key, never give it away; paste the file that ends in .pub',
  'ssh-key.lines': 'it must be one line',
  'ssh-key.type': 'it must begin with {types} or the like',
  'ssh-key.damaged': 'its base64 part is damaged',
  'ssh-key.comment': 'its comment has characters that are not allowed',
  'ssh-key.too-short': 'an RSA key needs {minimum} bits or more, this one has {bits}',
  'ssh-key.file': '{path} ({problem})',

  'file.path-missing': 'Please input file path',
  'file.outside': 'The file must be in the /data directory.',
  'file.not-a-file': 'it is not a file',
  'file.empty': 'the file is empty',
  'file.choose-again': 'upload or choose it again',
  'file.content': 'the content is not {types}',
  'file.ending': 'The file must be in {types} format.',
  'file.too-large': 'at most {gib} GiB',
  'file.used-by': 'used by {users}',
  'file.on-node': '{name} is on {node}, and a playlist takes files of one server',
  'file.not-a-folder': '{folder} is not a folder inside the data folder',

  'source.address-missing': 'Please input stream URL',
  'source.none': 'Please upload video source',
  'source.no-target': 'a source has no target',
  'source.stream-in-playlist': 'a stream cannot be part of a playlist',
  'source.scheme': 'The stream must be rtmp/http/https/rtsp/srt',
  'source.http-form': 'The HTTP stream must be http-flv/hls',
  'source.bitrate': '{name} has {kbps} kbit/s, at most {maximum} are allowed',
  'source.unnamed': 'the source',
  'source.other-tracks':
    '{name} has other tracks than the first file; the files of a playlist need the same tracks in the same order',
  'source.no-media': 'it has neither video nor audio',
  'source.no-answer': 'no answer within {seconds} s',
  'source.leads-to-forbidden': 'it leads to an address that is never contacted',
  'source.too-many-samples':
    'it claims {samples} samples, which would need {mib} MiB to be read, at most {maximum} are given',
  'source.picture-too-large': 'its picture claims more than {pixels} pixels',
  'source.limit-memory': 'it needs more memory to be read than the {mib} MiB a file of its size may',
  'source.limit-cpu': 'it needs more than {seconds} s of processor time to be read',

  'target.platform-missing': 'Please choose a platform',
  'target.platform': 'Invalid platform, should be {platforms} or contain {mark}',
  'target.forward-server-missing': 'Please input streaming server URL',
  'target.vlive-server-missing': 'Please input stream URL',
  'target.too-many': 'at most {maximum} targets can be kept',
  'target.no-forward': 'there is no forward target {platform}',
  'target.no-vlive': 'there is no virtual live target {platform}',
  'target.start-time': 'Invalid start time "{text}", should be like 2030-01-31T20:00:00+08:00',

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

  'watermark.gone': 'the watermark is no longer there, upload it again',
  'watermark.too-large': 'it is larger than {kib} KiB',
  'watermark.type': 'it is no PNG, JPEG or WebP',
  'watermark.slow': 'it takes too long to decode',
  'watermark.too-many-pixels': 'it claims more than {pixels} pixels',
  'watermark.over-limit': 'it needs more memory or time than a picture may',
  'watermark.too-detailed': 'it has too much detail',
  'watermark.undecodable': 'it cannot be decoded',
  'watermark.undecodable-words': 'it cannot be decoded, {words}',

  'record.filter-backslash': 'the filter "{glob}" ends with a backslash',
  'record.filter-bracket': 'the filter "{glob}" has a [ without its ]',
  'record.too-many-choices': '{maximum} streams have a choice of their own, use name filters',
  'record.none': 'no recording {uuid}',
  'record.no-window': 'nothing of {app}/{stream} is kept for rewinding',
  'record.not-in-window': 'nothing is kept of that; what is kept is from {since} to {until}',
  'record.moments': 'from and to are moments like 2026-05-01T12:00:00Z, and from is before to',
  'record.none-in-bin': 'no recording {uuid} in the bin',
  'record.none-running': 'no running recording {uuid}',
  'record.no-cloud-task': 'no {kind} task {uuid}',
  'record.keeps-too-little': 'less than one recording needs',
  'record.server-stops': 'the server stops',

  'proxy.slash': '"{path}" must begin with /',
  'proxy.form': '"{path}" must be /name or /name/name with letters, digits, . _ ~ -',
  'proxy.own': '/{segment} belongs to this product',
  'proxy.like-a-stream': '"{path}" ends like a stream',
  'proxy.path-missing': 'the path is missing',
  'proxy.backend-missing': 'the backend address is missing',
  'proxy.twice': '{path} is there twice',
  'backend.scheme': '"{address}" must begin with http:// or https://',
  'backend.parts': 'it may hold host, port and path only',
  'backend.itself': '{host} is this server itself',
  'backend.missing': 'a backend server is missing',
  'backend.form': '"{address}" is no IP address, no domain and no http(s):// address of one',
  'backend.twice': '{address} is there twice',
  'backend.mixed': 'all backend servers must use the same protocol',
  'backend.none': 'enter at least one backend server',
  'homepage.missing': 'the home path is missing',
  'homepage.spaces': 'it contains spaces, quotes or control characters',
  'homepage.two-slashes': 'two slashes lead to another server',
  'homepage.itself': '/ would lead to itself',
  'homepage.form': 'it must be a path that begins with /, or an http(s) address',

  'password.file': 'please use another one, or repair the lines of the file by hand',
  'password.control-character': 'it contains a control character',
  'password.quotes': 'it contains every kind of quote',
  'login.again': 'try again in {seconds} s',
  'login.again-minutes': 'try again in {minutes} min; a browser that logged in before does not wait for others',
  'origin.before-setup': 'the first password is set on the page of the server itself',
  'origin.not-json': 'its Content-Type must be application/json',

  'stream.no-publisher': '{url} has no publisher connection',
  'settings.window-minutes': '{start} to {end} is {minutes} minutes',
  'media-server.port-unknown': 'its port is not known yet',
  'media-server.odd-answer': 'unexpected answer to {path}, HTTP {status}',
  'media-server.refused': 'it refused {path} with code {code}',
  'media-server.away': '{servers} does not answer, and may have this connection',
  'media-server.no-clients': 'none tells its list of clients',
  'media-server.reload-failed': 'it cannot use its configuration: {reason}',

  'cluster.no-node': 'no node with the id {id} is there',
  'cluster.node-away': '{name} is away or out of reach',
  'cluster.bins-away': '{names} away or out of reach: what is in their bins stays there',
  'cluster.none': 'this server is in no cluster: its store is a file',
  'watching.twice': '{pattern} is there twice',
  'watching.no-password': '{pattern} needs a password',
  'watching.no-callback': '{pattern} is decided by a service, and callbacks are off: set their target first',
  'watching.address': '{address} is no IP address',
  'watching.key-unknown': 'there is no key {id}',
  'watching.picture-gone': 'the picture for {pattern} is no longer there, upload it again',
  'watching.stream-key-expired': 'the expiry is in the past',

  'later.camera': 'cameras are a scenario of later releases',

  'upload.no-file': 'the form has no file',
  'upload.empty': 'the body is empty',
  'upload.cut': 'the connection was cut',
} as const satisfies Readonly<Record<string, string>>;

export type RefusalDetailKey = keyof typeof refusalDetails;

/** The second argument of `AppError`: made by `because` or by `verbatim`. */
export type RefusalDetail = Phrase<'refusal'>;

/** A reason of the catalogue: `because('address.never-contacted', { host })`. The console tells it in the page's language. */
export const because = phrasesOf('refusal', refusalDetails);

/**
 * A detail that is told as it is: words of somebody else (FFmpeg, the operating system, a certificate authority, the cloud),
 * a bare name, or plain English for those who write API clients and never for a page of the console.
 */
export function verbatim(words: string): RefusalDetail {
  return because('verbatim', { words });
}

/** The same reason with other English words on the wire, where a library has its own. */
export function inTheWordsOf(text: string, reason: RefusalDetail): RefusalDetail {
  return { ...reason, text };
}

/** Reasons without values. */
export type PlainReasonKey = {
  [Key in RefusalDetailKey]: [NamesIn<(typeof refusalDetails)[Key]>] extends [never] ? Key : never;
}[RefusalDetailKey];

export function isPlainReason(key: unknown): key is PlainReasonKey {
  return typeof key === 'string' && key in refusalDetails && !refusalDetails[key as RefusalDetailKey].includes('{');
}

/** Last parts of the keys of one group: `ReasonNames<'transcode.unit'>` has `kbps`. */
export type ReasonNames<Group extends string> = RefusalDetailKey extends infer Key
  ? Key extends `${Group}.${infer Name}`
    ? Name
    : never
  : never;
