// Form values of slates and backup sources, their validation, and the request that saves them. Pure.
import type { RequestOf, ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import type { SlateContent } from '@srs-stack/contract/endpoints/settings/slates.ts';
import { longestSlateMinutes, longestSlateWaitSeconds, maxBackupSources } from '@srs-stack/contract/limits.ts';
import { isValidStreamPattern } from '@srs-stack/contract/stream-pattern.ts';

export interface SlateDraft {
  readonly enabled: boolean;
  /** Only the streams that match `patterns` have a slate. */
  readonly isForSome: boolean;
  /** One pattern per line. */
  readonly patterns: string;
  readonly afterSeconds: number | string;
  readonly longestMinutes: number | string;
  /** One pair per line: a stream and its backup. */
  readonly backups: string;
  readonly content: SlateContent;
  /** `target` of a file in the library; '' if none is selected. */
  readonly clip: string;
  readonly clipName: string;
  readonly blur: boolean;
  /** Text drawn over the slate. */
  readonly title: string;
  readonly text: string;
  /** Selected file in base64; '' selects a dark screen; null keeps the stored image. */
  readonly image: string | null;
}

export function toDraft(stored: ResponseOf<typeof calls.querySlates>): SlateDraft {
  const { enabled, patterns, afterSeconds, longestMinutes, backups = [] } = stored;
  const { content, clip, clipName, blur, title, text } = stored;
  return {
    ...{ content, clip, clipName, blur, title, text },
    backups: backups.map(({ stream, backup }) => `${stream} ${backup}`).join('\n'),
    ...{ enabled, afterSeconds, longestMinutes, image: null },
    ...{ isForSome: patterns.length > 0, patterns: patterns.join('\n') },
  };
}

export function toRequest(draft: SlateDraft, revision: string | undefined): RequestOf<typeof calls.updateSlates> {
  const { content, clip, clipName, blur, title, text } = draft;
  return {
    ...{ content, clip, clipName, blur, title: title.trim(), text: text.trim() },
    enabled: draft.enabled,
    patterns: patternsOf(draft),
    afterSeconds: Number(draft.afterSeconds),
    longestMinutes: Number(draft.longestMinutes),
    backups: backupsOf(draft),
    ...(draft.image !== null && { image: draft.image }),
    ...(revision !== undefined && { revision }),
  };
}

function patternsOf({ isForSome, patterns }: SlateDraft): string[] {
  if (!isForSome) return [];
  return patterns.split(/\s+/).filter((pattern) => pattern !== '');
}

function backupsOf({ backups }: SlateDraft): { stream: string; backup: string }[] {
  return backupLines(backups).map((line) => {
    const [stream = '', backup = ''] = line.split(/\s+/);
    return { stream, backup };
  });
}

function backupLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export interface SlateProblems {
  /** The first invalid line: not a pair, a second backup for one stream, or too many lines. */
  readonly backup: string | undefined;
  /** The first invalid pattern; '' if the list is empty. */
  readonly pattern: string | undefined;
  readonly afterSeconds: boolean;
  readonly longestMinutes: boolean;
  /** A clip is required, but none is selected. */
  readonly clip: boolean;
}

/** Finds values that the server would refuse. */
export function problemsOf(draft: SlateDraft): SlateProblems {
  const patterns = patternsOf(draft);
  const isEmpty = draft.isForSome && patterns.length === 0;
  return {
    backup: wrongBackup(backupLines(draft.backups)),
    pattern: isEmpty ? '' : patterns.find((pattern) => !isValidStreamPattern(pattern)),
    afterSeconds: !isBetween(draft.afterSeconds, 1, longestSlateWaitSeconds),
    clip: draft.content === 'clip' && draft.clip === '',
    longestMinutes: !isBetween(draft.longestMinutes, 1, longestSlateMinutes),
  };
}

function wrongBackup(lines: readonly string[]): string | undefined {
  const seen = new Set<string>();
  for (const [index, line] of lines.entries()) {
    const names = line.split(/\s+/);
    const [stream = '', backup = ''] = names;
    const isPair = names.length === 2 && names.every(isStream) && stream !== backup;
    if (!isPair || seen.has(stream) || index >= maxBackupSources) return line;
    seen.add(stream);
  }
  return undefined;
}

function isStream(name: string): boolean {
  return !name.includes('*') && isValidStreamPattern(name);
}

function isBetween(value: number | string, least: number, most: number): boolean {
  return value !== '' && Number(value) >= least && Number(value) <= most;
}
