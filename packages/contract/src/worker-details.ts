// What is to be said of a worker beyond its reason, by key: status rows carry key and values beside these English texts, the console
// has its own in `shared/worker/locales`. FFmpeg's words stay as they are.
import { type Phrase, phrasesOf } from './phrases.ts';

export const workerDetails = {
  /** FFmpeg's own words; see `programWords`. */
  verbatim: '{words}',

  'ffmpeg-missing': 'FFmpeg is not installed on this server',
  'ffmpeg-not-started': 'FFmpeg cannot be started: {error}',
  'ffmpeg-status': 'FFmpeg ended with status {status}',
  'ended-by-signal': 'the process was ended by {signal}',
  'limit-memory': 'FFmpeg needed more memory than one task may use',
  'limit-cpu': 'FFmpeg needed more processor time than this may take',
  'limit-file': 'FFmpeg wrote a larger file than it may',
  'picture-too-large': 'a picture of the source claims more pixels than are decoded',
  'ran-its-time': 'it ran for as long as its address says',
  'source-ended': 'the source ended',
  'source-not-back': 'the source did not come back',
  'source-silent': 'the source did not answer within {seconds} s',
  'source-too-fast': 'the source sends much faster than real time',
  'target-silent': 'the target did not answer within {seconds} s',
  'target-full': 'nothing was sent for {seconds} s: the target takes no more data',
  'no-picture':
    'the source has a picture, but FFmpeg sent none for {seconds} s: it may not know this codec over RTMP (HEVC, AV1 and VP9 need FFmpeg 6.1)',
  'too-slow': 'less than half of real time got through: the target or this machine is too slow',
  'host-unknown': 'the host name {host} is not known',
  'source-forbidden': 'the source leads to an address that is never contacted',
  'host-forbidden': '{host} leads to an address that is never contacted',
  'watermark-missing': 'the picture of the watermark is no longer there, upload it again',
  'internal-error': 'internal error',
  'file-gone': 'a file of this source is gone, choose another',
  'file-coming': 'the file {file} is on its way from the bucket, {percent} %',
  'file-not-coming': 'the bucket does not give the file {file}: {words}',
  'file-on-node': 'the file {file} is on {node} alone, which is away: the task waits for it',
  'file-on-busy-node': 'the file {file} is on {node} alone, which takes no tasks now: the task waits for it',
  'no-address': 'no address to send to is set',
  'no-source': 'no source is chosen',
  'address.spaces': 'this address is not allowed: it contains spaces or control characters',
  'address.scheme': 'this address is not allowed: it must begin with {schemes}',
  'address.never-contacted': 'this address is not allowed: {host} is never contacted',
  'address.srt-listens': 'this address is not allowed: an SRT address must call, not listen',
  'target-removed': 'the target was removed',
  'switched-off': 'this kind of task is switched off on the components page',
  'media-server-away': 'the media server does not answer',
  'media-server-without-rtmp': 'the media server has no RTMP port',
  'no-server': 'no server has this task at the moment',
  'no-stream': 'no stream is live',
  'stream-not-live': 'the stream {stream} is not live',
  'source-paused': 'the source sends nothing',
  'starts-at': 'starts at {time}',
  'source-measured': 'the source has just begun: what it is is being measured',
  'ladder-no-picture': 'the source has no picture: there is nothing to make smaller',
  'ladder-no-step': 'no step of the ladder is smaller than the source',
  'demo-over': 'the demo is over',
} as const satisfies Readonly<Record<string, string>>;

export type WorkerDetailKey = keyof typeof workerDetails;
export type WorkerDetail = Phrase<'worker'>;

/** A detail of the catalogue: `workerDetail('host-unknown', { host })`. */
export const workerDetail = phrasesOf('worker', workerDetails);

/** What FFmpeg said, in its own language. */
export function programWords(words: string): WorkerDetail {
  return workerDetail('verbatim', { words });
}
