// Parses comma-separated values (RFC 4180). Semicolons and tabs, which spreadsheets use in some countries, are accepted too. Pure.

const separators = [',', ';', '\t'] as const;

/** Cells of each line. Empty lines are omitted. An unclosed quote extends to the end of the text. */
export function readCsv(text: string): string[][] {
  const body = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(body);
  const lines: string[][] = [];
  let cells: string[] = [];
  // Matches a cell and the separator after it. In a quoted cell, two quotes mean one quote.
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
