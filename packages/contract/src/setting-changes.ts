// What an operator, or the server for them, has changed: the details of the audit trail and of the dashboard's events, by
// key. The audit trail keeps the English text; the console tells events in the page's language.
import { type Phrase, phrasesOf } from './phrases.ts';

export const settingChanges = {
  'state.on': 'on',
  'state.off': 'off',
  'amount.any': 'any number of',
  'amount.none': 'none',

  'component.rtmp': 'rtmp',
  'component.srt': 'srt',
  'component.webrtc': 'webrtc',
  'component.flv': 'flv',
  'component.hls': 'hls',
  'component.forward': 'forward',
  'component.vlive': 'vlive',
  'component.transcode': 'transcode',
  'component.record': 'record',
  'member.icp': 'icp',
  'member.title': 'title',

  'access.password': 'all sessions ended',
  'access.signed-out': 'all sessions ended',
  'cluster.join-shown': 'address and secret of the cluster shown, for another server to join',
  'cluster.drain': 'drain of node {name} {state}',
  'access.api-secret': 'new API secret',
  'kick.stream': '{url}',
  'kick.connection': 'connection {id}',
  'store.replaced': 'the damaged store is kept as {file}',

  'callbacks.saved': 'callbacks {state}, target {target}',
  'certificate.installed': 'certificate of {subject}, valid until {until}',
  'hls.no-contexts': 'HLS without session contexts {state}',
  'hls.low-latency': 'low-latency HLS {state}',
  'hls.rewind': 'rewind {minutes} minutes, at most {gigabytes} GB, of {patterns}',
  'hls.rewind-off': 'rewind off',
  'limits.bitrate': 'source limits {vlive} and {camera} kbit/s',
  'limits.hours': 'streaming hours {hours} per month',
  'limits.hours-unlimited': 'streaming hours unlimited',
  'publish.secret': 'publish secret replaced',
  'publish.followed': 'publish secret replaced in {users}',
  'publish.authentication': 'publish authentication {state}',
  'publish.key-made': 'stream key {name} for {pattern} made',
  'publish.key-revoked': 'stream key {name} revoked, {ended} publishers ended',
  'watching.rules': 'who may watch: {rules}',
  'watching.reports': 'reports of viewers {state}',
  'watching.key-made': 'key {id} to sign links with made',
  'watching.key-revoked': 'key {id} to sign links with revoked',
  'watching.page': 'page for viewers: {looks}',
  'platform.window': 'upgrade window {start} to {end}',
  'platform.upgrades': 'release channel {channel}, auto-upgrade {state}',
  'channel.stable': 'stable',
  'channel.development': 'development',
  'platform.ssh-key-granted': 'SSH key {fingerprint} granted',
  'platform.ssh-key-denied': 'SSH key {fingerprint} denied',
  'platform.drain': 'draining {state}',
  'platform.component': 'component {name} {state}',
  'upgrade.started': '{channel} {version} is prepared; streams are interrupted for seconds when it takes over',
  'upgrade.done': '{from} to {to}; the server was away for {seconds} s',
  'upgrade.done-at-start': '{from} to {to}',
  'upgrade.taken-back': '{to} did not work and was taken back, {from} runs; the server was away for {seconds} s',
  'upgrade.taken-back-at-start': '{to} did not work and was taken back, {from} runs',
  'page.text': 'text {member}',
  'page.home': 'home page {path}',
  'page.proxies': 'proxied paths: {paths}',
  'page.backends': 'backend servers {servers}',

  'task.transcode': 'transcode {state}',
  'task.forward': 'forward {platform} {state}',
  'task.forward-removed': 'forward {platform} removed',
  'task.vlive': 'virtual live {platform} {state}',
  'task.vlive-source': 'virtual live {platform} source, {number} files',
  'task.vlive-removed': 'virtual live {platform} removed',
  'task.file-deleted': 'media file {name} deleted',
  'task.ladder': 'ladder of renditions {state}',
  'task.demo': 'demo stream {state}',

  'record.all': 'recording of all streams {state}',
  'record.stream': 'recording of {stream} {state}',
  'record.filters': 'record filters {globs}',
  'record.no-filters': 'record filters (none)',
  'record.copies': 'copies of recordings go to {folder}',
  'record.no-copies': 'copies of recordings go to (nowhere)',
  'record.kept': 'recordings are kept {days} days, {bytes} bytes',
  'record.deleted': 'recording {name} deleted',
  'record.deleted-for-good': 'recording {name} deleted for good',
  'record.restored': 'recording {name} restored',
  'record.bin-emptied': 'bin of recordings emptied',
  'record.removed-for-age': 'recording {stream} of {begin} ({uuid}) removed: older than {days} days',
  'record.removed-for-room': 'recording {stream} of {begin} ({uuid}) removed: more than {bytes} bytes together',

  'bucket.saved': 'object storage {state}, bucket {bucket} at {endpoint}, local copies: {local}',
  'bucket.keeps': 'kept',
  'bucket.removes': 'removed when the object is proven',
  'bucket.removals-forgotten': '{count} objects of deleted recordings are left in the bucket',

  'cloud.all': '{kind} of all streams {state}',
  'cloud.task-removed': '{kind} task {stream} {uuid} removed',
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
