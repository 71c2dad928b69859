// Details of a worker's state, by message key. A status row contains the English text, the key and the values. `shared/worker/locales` has
// the translations. Messages of FFmpeg stay untranslated.
import { type Phrase, phrasesOf } from './phrases.ts';

export const workerDetails = {
  /** A message of FFmpeg; see `programWords`. */
  verbatim: '{words}',

  'ffmpeg-missing': 'FFmpeg is not installed on this server',
  'ffmpeg-not-started': 'FFmpeg cannot be started: {error}',
  'ffmpeg-status': 'FFmpeg ended with status {status}',
  'ended-by-signal': 'the process was ended by the signal {signal}',
  'limit-memory': 'FFmpeg exceeded the memory limit of a task',
  'limit-cpu': 'FFmpeg exceeded the processor time limit of this task',
  'limit-file': 'FFmpeg exceeded the file size limit',
  'picture-too-large': 'the resolution of the source exceeds the limit for decoding',
  'ran-its-time': 'the task ended after the duration given in the address of its source',
  'source-ended': 'the source ended',
  'source-not-back': 'the source ended and did not become available again',
  'source-silent': 'the source did not respond within {seconds} s',
  'source-stalled': 'the source sent no media for {seconds} s',
  'source-closed': 'the source closed the connection',
  'source-too-fast': 'the source sends much faster than real time',
  'target-silent': 'the target did not respond within {seconds} s',
  'target-full': 'nothing was sent for {seconds} s: the target accepts no more data',
  'target-closed': 'the target closed the connection',
  'certificate-expired': 'the certificate of the target has expired',
  'certificate-early': 'the certificate of the target is not valid yet: check the clocks of both servers',
  'certificate-name': 'the certificate of the target is for another name',
  'certificate-untrusted':
    'the certificate of the target is not signed by a known authority: add the authority with NODE_EXTRA_CA_CERTS',
  'tls-closed': 'the target closed the connection during the TLS handshake: its port may not use TLS',
  'no-tls': 'the port of the target does not use TLS',
  'target-codec':
    '{host} accepts H.264 video only, and the stream is {codec}: encode the stream for this target, or switch on the transcoder and forward its output',
  'no-picture':
    'the source has video, but FFmpeg sent none for {seconds} s: FFmpeg may not support this codec over RTMP (HEVC, AV1 and VP9 need FFmpeg 6.1)',
  'too-slow': 'the stream is sent at less than half of real-time speed: the target or this machine is too slow',
  'host-unknown': 'the host name {host} cannot be resolved',
  'source-forbidden': 'the source redirects to a link-local or special address, which is never contacted',
  'host-forbidden': '{host} resolves to a link-local or special address, which is never contacted',
  'watermark-missing': 'the watermark image no longer exists, upload it again',
  'internal-error': 'internal error',
  'file-gone': 'a file of this source no longer exists, choose another file',
  'file-coming': 'downloading {file} from the bucket: {percent} %',
  'file-not-coming': 'the bucket did not return {file}: {words}',
  'file-on-node': '{file} exists only on the node {node}, which is down: the task waits until the node runs',
  'file-on-busy-node':
    '{file} exists only on the node {node}, which accepts no tasks now: the task waits until the node accepts tasks',
  'no-address': 'no target address is set',
  'camera-rtsps':
    'only the media server can pull RTSPS cameras, FFmpeg cannot: leave `server` and `extraAudio` of the camera empty',
  'camera-credentials-missing': 'the camera requires a user name and a password: add both to the address of the camera',
  'camera-credentials-refused': 'the camera refuses the user name or password',
  'camera-scheme-unknown': 'the camera offers neither Basic nor Digest authentication',
  'camera-video-unsupported': '{codecs} video is not supported: set the camera to H.264 or H.265',
  'camera-no-datagrams':
    'no datagrams arrived within {seconds} s: check the address and port of the sender, and that the network delivers them to this server',
  'camera-no-media': 'the camera offers no supported video or audio',
  'camera-not-connected': 'the camera accepted no connection within {seconds} s',
  'camera-sends-nothing': 'the camera accepted the connection but sent no media within {seconds} s',
  'camera-no-tcp': 'the camera sends media over UDP only: switch the transport to UDP',
  'camera-no-udp': 'the camera does not send media over UDP: use TCP',
  'camera-udp-blocked': 'no media arrived over UDP within {seconds} s: a firewall or NAT may block UDP: use TCP',
  'camera-redirects-in-circle': 'the camera redirects too often',
  'camera-redirects-elsewhere': 'the source redirects to an address with another protocol',
  'camera-redirects-unencrypted': 'the camera redirects to an unencrypted address',
  'camera-address-invalid': 'this is not a valid address of a source',
  'camera-certificate-expired': 'the certificate of the camera has expired',
  'camera-certificate-early': 'the certificate of the camera is not valid yet: check the clocks of camera and server',
  'camera-certificate-name': 'the certificate of the camera is for another name',
  'camera-certificate-untrusted': 'the certificate of the camera is not signed by a known authority',
  'camera-leads-inward': 'the source redirects to {host} in a private network: add this network to SOURCE_NETWORKS',
  'camera-needs-ffmpeg': 'the source uses {feature}, which only FFmpeg can read',
  'camera-not-local': 'a UDP source cannot receive on {address}, which is not an address of this server',
  'camera-not-mpegts': 'the source sends something other than MPEG-TS',
  'camera-passphrase-refused': 'the SRT passphrase is missing or wrong',
  'camera-playlist-ended': 'the playlist of the source has ended and is requested again',
  'camera-playlist-invalid':
    'the address does not return a valid HLS playlist, or its playlist or segments are too large',
  'camera-sender-refused':
    'datagrams of {address} are not accepted: add its network to SOURCE_NETWORKS, and check the sender in the address',
  'camera-udp-off': 'UDP sources are off: set SOURCE_NETWORKS to the networks of the senders and restart the server',
  'camera-udp-port-taken': 'another source or program uses UDP port {port}: choose another port',
  'camera-udp':
    'only the media server can pull UDP sources, FFmpeg cannot: leave `server` and `extraAudio` of the camera empty',
  'camera-no-tls': 'the port of the camera does not use TLS',
  'no-source': 'no source is selected',
  'address.spaces': 'this address is not allowed: the address contains spaces or control characters',
  'address.scheme': 'this address is not allowed: the address must begin with {schemes}',
  'address.never-contacted':
    'this address is not allowed: {host} is a link-local or special address, which is never contacted',
  'address.srt-listens': 'this address is not allowed: an SRT address must use caller mode, not listener mode',
  'target-removed': 'the target was removed',
  'switched-off': 'tasks of this kind are switched off on the components page',
  'media-server-away': 'the media server does not respond',
  'media-server-without-rtmp': 'the media server has no RTMP port',
  'no-server': 'no server runs this task at the moment',
  'no-stream': 'no stream is live',
  'stream-not-live': 'the stream {stream} is not live',
  'source-paused': 'the source sends no media',
  'starts-at': 'starts at {time}',
  'delay-filling': 'the delay of this target has just begun: the target will receive the stream in {seconds} s',
  'delay-needs-engine':
    'FFmpeg forwards this target, and FFmpeg cannot delay a stream: set the delay to 0, or remove the reason for FFmpeg (FORWARD_WITH=ffmpeg, a cluster, an external media server, unusual SRT options, or encoding for this target)',
  'source-measured': 'the source has just started: its codecs and resolution are being measured',
  'ladder-no-picture': 'the source has no video to scale down',
  'ladder-no-step': 'no rendition of the ladder is smaller than the source',
  'demo-over': 'the demo stream has ended',
} as const satisfies Readonly<Record<string, string>>;

export type WorkerDetailKey = keyof typeof workerDetails;
export type WorkerDetail = Phrase<'worker'>;

/** Creates a detail of the catalogue: `workerDetail('host-unknown', { host })`. */
export const workerDetail = phrasesOf('worker', workerDetails);

/** A message of FFmpeg, untranslated. */
export function programWords(words: string): WorkerDetail {
  return workerDetail('verbatim', { words });
}
