// Collects the named limits of the servers from their declarations: name, value, and the comment above, which has unit and reason.
// `check-limits.ts` writes the limits into docs/reference/limits.md, or compares them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packages with limits that clients can reach, in the order of the data path. */
const packages = ['contract', 'srt', 'media', 'engine', 'process', 'playback', 'gateway', 'platform', 'stack'];
const limitName =
  /^(?:max|min|least|most)[A-Z]|(?:Timeout|Deadline|Grace|Patience)(?:Ms|Us|Seconds)$|^(?:timeout|deadline)Ms$|(?:Memory|Cpu|File)\w*(?:Bytes|Seconds|PerSecond|Factor)$/;
const declaration = /^(?:export )?const (\w+)(?:: [\w<>[\] ]+)? = ([^;]+);/;
/** Values with this beginning are functions, tables, patterns or texts, not limits. */
const noValue = /^(?:\(|async|new |\{|\[|\/|z\.|`|')/;

export interface Limit {
  readonly package: string;
  /** Relative to the checkout. */
  readonly file: string;
  readonly name: string;
  readonly value: string;
  /** Empty for a declaration without a comment. */
  readonly reason: string;
}

export function readLimits(checkout: string): Limit[] {
  return packages.flatMap((name) => {
    const folder = join(checkout, 'packages', name, 'src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
    return files
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(file))
      .flatMap((file) => limitsOf(`packages/${name}/src/${file}`, readFileSync(join(folder, file), 'utf8')));
  });
}

/** Limits among the top-level constants of a module. If a declaration directly follows another, both share the comment above. */
export function limitsOf(file: string, text: string): Limit[] {
  const limits: Limit[] = [];
  let comment = '';
  for (const part of text.matchAll(/\/\*\*[\s\S]*?\*\/\n|^\n|^(?:export )?const \w[\s\S]*?;\n|^.*\n/gm)) {
    const [chunk] = part;
    const [, name = '', value = ''] = declaration.exec(chunk) ?? [];
    if (chunk.startsWith('/**')) comment = plain(chunk);
    else if (name === '') comment = '';
    else if (limitName.test(name) && !noValue.test(value))
      limits.push({ package: file.split('/')[1] ?? '', file, name, value: shownValue(value), reason: comment });
  }
  return limits;
}

function plain(comment: string): string {
  const text = comment.replace(/^\/\*\*|\*\/\s*$/g, '').replace(/\n\s*\*/g, ' ');
  return text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|');
}

/** Evaluates products of plain numbers; other expressions are shown as written. */
function shownValue(expression: string): string {
  const text = expression.replace(/\s+/g, ' ').trim();
  const factors = text
    .replace(/\bmib\b/g, '1024 ** 2')
    .replaceAll('_', '')
    .split(/(?<!\*) ?\* ?(?!\*)/);
  const values = factors.map((factor) => /^(0x[\da-f]+|\d+(?:\.\d+)?(?:e\d+)?)(?: \*\* (\d+))?$/i.exec(factor));
  if (values.some((match) => match === null)) return `\`${text}\``;
  const product = values.reduce((result, match) => result * Number(match?.[1]) ** Number(match?.[2] ?? 1), 1);
  return product.toLocaleString('en-US', { maximumFractionDigits: 6 });
}

export function limitsTable(limits: readonly Limit[]): string {
  const names = [...new Set(limits.map((limit) => limit.package))];
  return names
    .flatMap((name) => [
      `### ${name}`,
      '',
      '| Limit | Value | What for | Declared in |',
      '| --- | --- | --- | --- |',
      ...limits
        .filter((limit) => limit.package === name)
        .map(
          ({ name: limit, value, reason, file }) =>
            `| \`${limit}\` | ${value} | ${reason} | \`${file.replace(/^packages\/\w+\/src\//, '')}\` |`,
        ),
      '',
    ])
    .join('\n')
    .trim();
}

const startMark = '<!-- limits: written by `node scripts/check-limits.ts --write` -->';
const endMark = '<!-- end of limits -->';

/** Replaces the table between the markers of the document. Throws if the markers are missing. */
export function withTable(document: string, table: string): string {
  const start = document.indexOf(startMark);
  const end = document.indexOf(endMark);
  if (start < 0 || end < start) throw new Error('the document has no markers for the table of limits');
  return `${document.slice(0, start + startMark.length)}\n\n${table}\n\n${document.slice(end)}`;
}
