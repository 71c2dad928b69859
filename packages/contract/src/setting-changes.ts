// Changes made by an operator or by the server automatically: details of the audit trail and of dashboard events, by key. The audit trail
// stores the English text, which the console shows too; its other languages are in `features/dashboard/locales`.
import { type Phrase, phrasesOf } from './phrases.ts';

export const settingChanges = {
  'state.on': 'on',
  'state.off': 'off',
  'amount.any': 'unlimited',
  'amount.none': 'none',

  'component.rtmp': 'RTMP',
  'component.srt': 'SRT',
  'component.webrtc': 'WebRTC',
  'component.flv': 'HTTP-FLV and HTTP-TS',
  'component.hls': 'HLS',
  'component.forward': 'Multi-platform forwarding',
  'component.vlive': 'Virtual live',
  'component.transcode': 'Live transcoding',
  'component.record': 'Local recording',
  'member.icp': 'filing number',
  'member.title': 'page title',

  'access.password': 'all sessions ended',
  'access.signed-out': 'all sessions ended',
  'cluster.join-shown': 'store address and cluster secret shown',
  'cluster.drain': 'draining of node {name} {state}',
  'access.api-secret': 'new API secret',
  'kick.stream': '{url}',
  'kick.connection': 'connection {id}',
  'store.replaced': 'the damaged store is kept as {file}',

  'callbacks.saved': 'callbacks {state}, target {target}',
  'certificate.installed': 'certificate of {subject}, valid until {until}',
  'hls.no-contexts': 'high-performance HLS {state}',
  'hls.low-latency': 'low-latency HLS {state}',
  'hls.rewind': 'rewind window of {minutes} minutes, at most {gigabytes} GB: {patterns}',
  'hls.rewind-off': 'rewind off',
  'slates.on': 'slate after {seconds} s without a source: {patterns}',
  'slates.off': 'slate off',
  'limits.bitrate': 'source limits: virtual live {vlive} kbit/s, camera {camera} kbit/s',
  'limits.hours': '{hours} streaming hours per month',
  'limits.hours-unlimited': 'unlimited streaming hours',
  'publish.secret': 'publish secret replaced',
  'publish.followed': 'publish secret replaced in {users}',
  'publish.authentication': 'publish authentication {state}',
  'publish.key-made': 'stream key {name} created for {pattern}',
  'publish.key-revoked': 'stream key {name} revoked, publishers disconnected: {ended}',
  'channel.made': 'channel {title} created',
  'channel.changed': 'channel {title} changed',
  'channel.switched': 'channel {title} {state}',
  'channel.removed': 'channel {title} removed',

  'room.made': 'live room {title} created',
  'room.changed': 'live room {title} changed',
  'room.secret': 'live room {title}: new secret or stream, publishers disconnected: {ended}',
  'room.removed': 'live room {title} removed, publishers disconnected: {ended}',
  'room.invited': 'live room {title}: invitation for {name} created',
  'room.invitation-revoked': 'live room {title}: invitation for {name} revoked, publishers disconnected: {ended}',
  'watching.rules': 'access rules: {rules}',
  'watching.reports': 'playback reports {state}',
  'watching.key-made': 'signing key {id} created',
  'watching.key-revoked': 'signing key {id} revoked',
  'watching.page': 'watch page: {looks}',
  'platform.window': 'upgrade window {start} to {end}',
  'platform.upgrades': 'release channel {channel}, auto-upgrade {state}',
  'channel.stable': 'stable',
  'channel.development': 'development',
  'platform.ssh-key-granted': 'SSH key {fingerprint} granted',
  'platform.ssh-key-denied': 'SSH key {fingerprint} denied',
  'platform.drain': 'draining {state}',
  'platform.component': 'component {name} {state}',
  'upgrade.started': 'preparing {channel} {version}; streams are interrupted for seconds when it starts',
  'upgrade.done': '{from} to {to}; downtime {seconds} s',
  'upgrade.done-at-start': '{from} to {to}',
  'upgrade.taken-back': '{to} failed and was rolled back to {from}; downtime {seconds} s',
  'upgrade.taken-back-at-start': '{to} failed and was rolled back to {from}',
  'page.text': 'page text: {member}',
  'page.home': 'home page {path}',
  'page.proxies': 'proxied paths: {paths}',
  'page.backends': 'backend servers: {servers}',

  'task.transcode': 'live transcoding {state}',
  'task.forward': 'forwarding to {platform} {state}',
  'task.forward-removed': 'forwarding to {platform} removed',
  'task.vlive': 'virtual live on {platform} {state}',
  'task.vlive-source': 'source of virtual live on {platform}, files: {number}',
  'task.vlive-removed': 'virtual live on {platform} removed',
  'task.camera': 'camera {platform} {state}',
  'task.camera-source': 'source of the camera {platform}',
  'task.camera-removed': 'camera {platform} removed',
  'task.file-deleted': 'media file {name} deleted',
  'task.ladder': 'ladder of renditions {state}',
  'task.demo': 'demo stream {state}',

  'record.all': 'recording of all streams {state}',
  'record.stream': 'recording of {stream} {state}',
  'record.filters': 'recording filters: {globs}',
  'record.no-filters': 'no recording filters',
  'record.copies': 'copies of recordings go to {folder}',
  'record.no-copies': 'recordings are no longer copied',
  'record.kept': 'recordings are kept {days} days, {bytes} bytes',
  'record.deleted': 'recording {name} deleted',
  'record.deleted-for-good': 'recording {name} deleted for good',
  'record.restored': 'recording {name} restored',
  'record.bin-emptied': 'recycle bin of recordings emptied',
  'record.removed-for-age': 'recording of {stream} from {begin} ({uuid}) removed: older than {days} days',
  'record.removed-for-room': 'recording of {stream} from {begin} ({uuid}) removed: all recordings exceed {bytes} bytes',

  'bucket.saved': 'object storage {state}, bucket {bucket} at {endpoint}, local copies {local}',
  'bucket.keeps': 'kept',
  'bucket.removes': 'deleted once the bucket has them',
  'bucket.removals-forgotten': 'objects of {count} deleted recordings stay in the bucket',

  'cloud.all': '{kind} of all streams {state}',
  'cloud.task-removed': '{kind} task {stream} ({uuid}) removed',
  'cloud.credentials': 'cloud credentials {id}',
} as const satisfies Readonly<Record<string, string>>;

export type SettingChangeKey = keyof typeof settingChanges;
export type SettingChange = Phrase<'change'>;

/** A change of the catalogue: `changed('task.transcode', { state: switched(true) })`. */
export const changed = phrasesOf('change', settingChanges);

/** `on` or `off` as a value of another phrase. */
export function switched(isOn: boolean): SettingChange {
  return changed(isOn ? 'state.on' : 'state.off');
}
