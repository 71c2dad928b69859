// Parses comma-separated values (RFC 4180), and semicolons and tabs, which spreadsheets use in some countries. Pure.

const separators = [',', ';', '\t'] as const;

/** Cells by line; empty lines are omitted. An unclosed quote extends to the end of the text. */
export function readCsv(text: string): string[][] {
  const body = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(body);
  const lines: string[][] = [];
  let cells: string[] = [];
  // Matches one cell and its separator; two quotes in a quoted cell stand for one.
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)(?:"|$)|([^${separator}\\r\\n]*))[^${separator}\\r\\n]*(${separator}|\\r?\\n|\\r|$)`,
    'y',
  );
  while (cell.lastIndex < body.length) {
    const found = cell.exec(body);
    if (!found) break;
    const [, quoted, plain = '', end] = found;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === separator && cell.lastIndex < body.length) continue;
    if (end === separator) cells.push('');
    lines.push(cells);
    cells = [];
  }
  return lines.filter((line) => line.some((value) => value.trim() !== ''));
}

/** The separator that occurs most often in the first line, outside quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1);
  const counts = separators.map((each) => line.split(each).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}
