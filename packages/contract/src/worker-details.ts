// The sentences of ours that say more than a worker's reason, by name: written in English by the server, told again in the
// reader's language by the console. FFmpeg's own words are none of them.

export const workerDetails = {
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
  'no-address': 'no address to send to is set',
  'no-source': 'no source is chosen',
  'address-spaces': 'this address is not allowed: it contains spaces or control characters',
  'address-scheme': 'this address is not allowed: it must begin with {schemes}',
  'address-forbidden': 'this address is not allowed: {host} is never contacted',
  'address-listens': 'this address is not allowed: an SRT address must call, not listen',
  'target-removed': 'the target was removed',
  'switched-off': 'this kind of task is switched off on the components page',
} as const;
export type WorkerDetailCode = keyof typeof workerDetails;
/** Names in braces. A sentence has a value for its own names only. */
export type WorkerDetailValues = Record<'error' | 'status' | 'signal' | 'seconds' | 'host' | 'schemes', string>;

/** The sentence with its values. */
export function workerDetail(code: WorkerDetailCode, values: Readonly<Record<string, string | number>> = {}): string {
  return workerDetails[code].replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Which sentence a text is, and its values; undefined for every other text. */
export function readWorkerDetail(text: string): { code: WorkerDetailCode; values: WorkerDetailValues } | undefined {
  for (const [code, template] of Object.entries(workerDetails)) {
    const literal = template.replace(/[.*+?^$()[\]\\|]/g, '\\$&');
    const match = new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>.+)')}$`).exec(text);
    if (match) return { code: code as WorkerDetailCode, values: { ...match.groups } as WorkerDetailValues };
  }
  return undefined;
}
