// The last log lines of a worker. Secrets are masked before a line is stored. Consecutive progress lines are stored as one line.
import { maxWorkerLogLines } from '@srs-stack/contract';
import type { Mask } from './mask.ts';

/** Maximum length of a stored line, characters: FFmpeg dumps binary data of broken streams. */
const maxLineLength = 1_000;

export interface LogRing {
  /** A `progress` line replaces the last line if that line is a progress line too. */
  push(line: string, kind?: 'text' | 'progress'): void;
  /** Oldest first. */
  lines(): string[];
}

export function createLogRing(mask: () => Mask, capacity = maxWorkerLogLines): LogRing {
  const kept: string[] = [];
  let endsWithProgress = false;
  return {
    push(line, kind = 'text') {
      const text = mask()(line).slice(0, maxLineLength);
      if (kind === 'progress' && endsWithProgress) kept.pop();
      endsWithProgress = kind === 'progress';
      kept.push(text);
      if (kept.length > capacity) kept.shift();
    },
    lines: () => [...kept],
  };
}
