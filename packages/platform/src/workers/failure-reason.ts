// Derives the reason for an exit of FFmpeg from its last log lines. The first matching rule applies.
import { programWords, type WorkerDetail, type WorkerReason, workerDetail } from '@srs-stack/contract';
import { limitReached } from '@srs-stack/process/programs/limit-reached.ts';

/** Number of searched lines. The cause is near the end. */
const lookedAtLines = 30;

interface Rule {
  readonly pattern: RegExp;
  readonly reason: WorkerReason;
}

const rules: readonly Rule[] = [
  {
    pattern: /Failed to resolve hostname|Name or service not known|Temporary failure in name resolution/i,
    reason: 'host-unknown',
  },
  { pattern: /Connection refused/i, reason: 'connection-refused' },
  { pattern: /Network is unreachable|No route to host|Network unreachable/i, reason: 'network-unreachable' },
  {
    pattern:
      /\b40[13]\b[^\n]*(?:Unauthorized|Forbidden|authoriz|denied)|HTTP error 40[13]|Server returned 40[13]|Unauthorized|access denied|authfail|authentication failed/i,
    reason: 'not-authorized',
  },
  {
    pattern: /Server returned 404|HTTP error 404|404 Not Found|StreamNotFound|Play\.StreamNotFound/i,
    reason: 'not-found',
  },
  {
    pattern:
      /NetStream\.Publish\.(?:BadName|Denied|Rejected)|Server error: |NetConnection\.Connect\.Rejected|already publishing|Already publishing|publish rejected/i,
    reason: 'publish-rejected',
  },
  {
    pattern:
      /Error in the pull function|TLS handshake|certificate verif|gnutls_handshake|handshake failed|tls_handshake/i,
    reason: 'tls-failed',
  },
  { pattern: /Connection timed out|Operation timed out|Connection attempt timed out|timed out/i, reason: 'timeout' },
  { pattern: /No such file or directory|Impossible to open|Permission denied/i, reason: 'file-missing' },
  {
    pattern:
      /Video codec .* not compatible|Audio codec .* not compatible|codec not currently supported in container|Could not find tag for codec|Unsupported codec|Unknown (?:encoder|decoder)|Decoder \(codec .*\) not found|does not support/i,
    reason: 'codec-unsupported',
  },
  // The source has only audio.
  { pattern: /matches no streams/i, reason: 'input-invalid' },
  { pattern: /not (?:on|in) whitelist|Protocol not found|not whitelisted/i, reason: 'address-refused' },
  {
    pattern:
      /Invalid data found when processing input|moov atom not found|could not find codec parameters|does not contain any stream|Output file #0 does not contain/i,
    reason: 'input-invalid',
  },
  {
    pattern:
      /Broken pipe|Connection reset by peer|Error writing trailer|av_interleaved_write_frame|RTMP_SendPacket|End of file/i,
    reason: 'connection-closed',
  },
  { pattern: /\bsrt\b[^\n]*(?:failed|rejected|error)/i, reason: 'connection-refused' },
];

/** Message of FFmpeg when the source proxy refuses a connection (`refusedStatus`). */
export const leadsToForbidden = /HTTP error 470\b/;

/** Message of FFmpeg for a frame that exceeds `-max_pixels`. */
export const tooManyPixels = /exceeds specified max pixel count|Picture size \d+x\d+ is invalid/;

/** Lines that only repeat an error with less information. */
const empty = /^(?:frame=|size=|Conversion failed|Exiting|Error opening|Error number|\s*Stream #|\s*Metadata)/;

export interface Failure {
  readonly reason: WorkerReason;
  readonly detail: WorkerDetail;
}

export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lines: readonly string[];
}

export function failureOf({ code, signal, lines }: Ending): Failure {
  const recent = lines.slice(-lookedAtLines);
  if (recent.some((line) => leadsToForbidden.test(line)))
    return { reason: 'address-refused', detail: workerDetail('source-forbidden') };
  // Checked before the rules: after a reached limit, FFmpeg also prints misleading messages about files and codecs.
  const limit = limitReached(signal, recent);
  if (limit) return { reason: 'limit-reached', detail: workerDetail(`limit-${limit}`) };
  if (recent.some((line) => tooManyPixels.test(line)))
    return { reason: 'limit-reached', detail: workerDetail('picture-too-large') };
  for (const { pattern, reason } of rules) {
    const line = recent.findLast((each) => pattern.test(each));
    if (line !== undefined) return { reason, detail: wordsOf(line) };
  }
  if (signal) return { reason: 'killed', detail: workerDetail('ended-by-signal', { signal }) };
  const last = recent.findLast((line) => !empty.test(line));
  return {
    reason: 'failed',
    detail: last ? wordsOf(last) : workerDetail('ffmpeg-status', { status: code ?? '' }),
  };
}

/** Removes the component prefix: `[rtmp @ 0x55..] text` → `text`. */
function wordsOf(line: string): WorkerDetail {
  return programWords(line.replace(/^\s*\[[^\]]*@ 0x[0-9a-f]+\]\s*/i, '').trim());
}
