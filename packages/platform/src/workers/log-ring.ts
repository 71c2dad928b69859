// The last lines a worker wrote, secrets masked before they are kept. A progress line replaces the one before it.
import { maxWorkerLogLines } from '@srs-stack/contract';
import type { Mask } from './mask.ts';

/** Longest line kept, characters: a broken stream makes FFmpeg dump binary. */
const maxLineLength = 1_000;

export interface LogRing {
  /** `progress` lines take the place of the progress line before them. */
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
