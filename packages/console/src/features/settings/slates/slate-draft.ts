// What is typed about slates, and the call that saves it. Pure.
import type { RequestOf, ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { longestSlateMinutes, longestSlateWaitSeconds } from '@srs-stack/contract/limits.ts';
import { isValidStreamPattern } from '@srs-stack/contract/stream-pattern.ts';

export interface SlateDraft {
  readonly enabled: boolean;
  /** For the streams of `patterns`, not for all. */
  readonly isForSome: boolean;
  /** One per line. */
  readonly patterns: string;
  readonly afterSeconds: number | string;
  readonly longestMinutes: number | string;
  /** A chosen file in base64, '' for a dark screen; null: the stored one. */
  readonly image: string | null;
}

export function toDraft(stored: ResponseOf<typeof calls.querySlates>): SlateDraft {
  const { enabled, patterns, afterSeconds, longestMinutes } = stored;
  return {
    ...{ enabled, afterSeconds, longestMinutes, image: null },
    ...{ isForSome: patterns.length > 0, patterns: patterns.join('\n') },
  };
}

export function toRequest(draft: SlateDraft, revision: string | undefined): RequestOf<typeof calls.updateSlates> {
  return {
    enabled: draft.enabled,
    patterns: patternsOf(draft),
    afterSeconds: Number(draft.afterSeconds),
    longestMinutes: Number(draft.longestMinutes),
    ...(draft.image !== null && { image: draft.image }),
    ...(revision !== undefined && { revision }),
  };
}

function patternsOf({ isForSome, patterns }: SlateDraft): string[] {
  if (!isForSome) return [];
  return patterns.split(/\s+/).filter((pattern) => pattern !== '');
}

export interface SlateProblems {
  /** Not a pattern; '' when none is named. */
  readonly pattern: string | undefined;
  readonly afterSeconds: boolean;
  readonly longestMinutes: boolean;
}

/** What the server would refuse. */
export function problemsOf(draft: SlateDraft): SlateProblems {
  const patterns = patternsOf(draft);
  const isEmpty = draft.isForSome && patterns.length === 0;
  return {
    pattern: isEmpty ? '' : patterns.find((pattern) => !isValidStreamPattern(pattern)),
    afterSeconds: !isBetween(draft.afterSeconds, 1, longestSlateWaitSeconds),
    longestMinutes: !isBetween(draft.longestMinutes, 1, longestSlateMinutes),
  };
}

function isBetween(value: number | string, least: number, most: number): boolean {
  return value !== '' && Number(value) >= least && Number(value) <= most;
}
