// Changes of a release as lines for the operator, from its changelog or its commit subjects. The texts come from the remote, so their
// length is limited and control characters are removed. Pure.
import { printable } from './run-program.ts';
import { compareVersions } from './version-tags.ts';

/** Maximum number of listed lines. Further lines are only counted. */
const maxChanges = 40;
/** Maximum length of a line, characters. */
const maxChangeLength = 300;

export interface Changes {
  readonly changes: string[];
  readonly moreChanges: number;
}

/** Changelog entries of the versions after `after` up to `upTo` (sections `## x.y.z`). */
export function changelogEntries(changelog: string, after: string, upTo: string): Changes {
  const entries: string[] = [];
  let isWanted = false;
  for (const line of changelog.split('\n')) {
    const heading = /^##\s+\[?v?(\d+\.\d+\.\d+)/.exec(line)?.[1];
    if (/^##?\s/.test(line)) {
      isWanted = heading !== undefined && compareVersions(heading, after) > 0 && compareVersions(heading, upTo) <= 0;
    } else if (isWanted && /^[*-]\s/.test(line)) {
      entries.push(line.slice(2).trim());
    } else if (isWanted && /^\s+\S/.test(line) && entries.length > 0) {
      entries.push(`${entries.pop()} ${line.trim()}`);
    }
  }
  return bounded(entries);
}

/** Subjects of commits, one per line. */
export function commitSubjects(log: string): Changes {
  return bounded(log.split('\n'));
}

function bounded(lines: readonly string[]): Changes {
  const texts = lines.map((line) => printable(withoutLinks(line)).trim()).filter(Boolean);
  return {
    changes: texts.slice(0, maxChanges).map((text) => text.slice(0, maxChangeLength)),
    moreChanges: Math.max(0, texts.length - maxChanges),
  };
}

/** Keeps the text of Markdown links without their addresses, because the remote chooses these addresses. */
function withoutLinks(line: string): string {
  return line.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
}
