// Finds broken links between documents of the checkout: missing files, missing headings, and mentions of missing documents. Pure.
import { posix } from 'node:path';

/** Paths of all files of the checkout, and access to their texts. */
export interface Checkout {
  /** All files that can be the target of a link. */
  readonly paths: ReadonlySet<string>;
  read(path: string): string;
}

const link = /!?\[(?:[^[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)/g;
/** A mention of a document, such as `docs/reference/api.md`, that is not part of a longer path or address. */
const mention = /(?<![\w./-])(?:\.\.\/)*(docs\/[\w./-]+\.md)\b/g;
const external = /^[a-z][a-z+.-]*:/i;

/** Broken links of a document. A line contains file, line, target, and what is missing. */
export function brokenLinks(file: string, checkout: Checkout): string[] {
  return linesOutsideCode(checkout.read(file)).flatMap(({ text, line }) =>
    [...withoutCodeSpans(text).matchAll(link)].flatMap(([, target = '']) => {
      const problem = problemOf(file, target, checkout);
      return problem ? [`${file}:${line}: ${target}: ${problem}`] : [];
    }),
  );
}

/** Mentions of missing documents in any file, one line each. */
export function brokenMentions(file: string, checkout: Checkout): string[] {
  return checkout
    .read(file)
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(mention)]
        .filter(([, path = '']) => !checkout.paths.has(path))
        .map(([, path]) => `${file}:${index + 1}: ${path}: no such document`),
    );
}

function problemOf(file: string, target: string, checkout: Checkout): string | undefined {
  if (external.test(target)) return undefined;
  const [path = '', anchor] = target.split('#');
  const found = path === '' ? file : posix.normalize(posix.join(posix.dirname(file), path)).replace(/\/$/, '');
  const isFolder = [...checkout.paths].some((each) => each.startsWith(`${found}/`));
  if (!(checkout.paths.has(found) || isFolder)) return 'no such file';
  if (anchor === undefined || !found.endsWith('.md')) return undefined;
  return headingAnchors(checkout.read(found)).has(anchor) ? undefined : 'no such heading';
}

/** Anchors of a document's headings, in GitHub's form. */
export function headingAnchors(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const { text } of linesOutsideCode(markdown)) {
    const heading = /^#{1,6}\s+(.*)$/.exec(text)?.[1];
    if (heading === undefined) continue;
    const base = anchorOf(heading);
    let anchor = base;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${base}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function anchorOf(heading: string): string {
  const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
  return shown
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

const withoutCodeSpans = (text: string) => text.replace(/`[^`]*`/g, '``');

/** Lines of a document outside fenced blocks, with line numbers from 1. */
function linesOutsideCode(markdown: string): { text: string; line: number }[] {
  let fence = '';
  return markdown.split('\n').flatMap((text, index) => {
    const [mark = ''] = /^\s*(?:```+|~~~+)/.exec(text) ?? [];
    if (mark !== '' && fence === '') fence = mark.trim();
    else if (mark !== '' && mark.trim().startsWith(fence)) fence = '';
    else if (fence === '') return [{ text, line: index + 1 }];
    return [];
  });
}
