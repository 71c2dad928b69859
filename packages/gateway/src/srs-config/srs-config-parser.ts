// Parses the configuration format of SRS: `name arg arg;` and `name arg { … }`, `#` comments, quoted strings. Pure, with limits.

/** Longest text, characters. The generated file has about twenty lines. */
const maxConfigLength = 256 * 1024;
/** Maximum nesting depth of blocks. SRS uses three. */
const maxDepth = 16;

export interface SrsDirective {
  readonly name: string;
  readonly args: readonly string[];
  /** Empty for a directive without a block. */
  readonly children: readonly SrsDirective[];
}

/** The configuration file is invalid. For a syntax error within the file, the message contains the line number. */
export class SrsConfigError extends Error {
  override readonly name = 'SrsConfigError';
}

interface Token {
  readonly text: string;
  readonly quoted: boolean;
  readonly line: number;
}

/** @throws SrsConfigError for an invalid text. */
export function parseSrsConfig(text: string): SrsDirective[] {
  if (text.length > maxConfigLength)
    throw new SrsConfigError(`the configuration is longer than ${maxConfigLength} characters`);
  const tokens = readTokens(text);
  const root: SrsDirective[] = [];
  const open: { children: SrsDirective[] }[] = [{ children: root }];
  let words: Token[] = [];
  for (const token of tokens) {
    const mark = token.quoted ? '' : token.text;
    if (mark === '}') {
      if (words.length > 0) throw new SrsConfigError(`line ${token.line}: a directive is not ended by ";"`);
      if (open.length === 1) throw new SrsConfigError(`line ${token.line}: unexpected "}"`);
      open.pop();
    } else if (mark === ';' || mark === '{') {
      const directive = toDirective(words, token);
      words = [];
      open.at(-1)?.children.push(directive);
      if (mark === '{') open.push(directive);
      if (open.length > maxDepth) throw new SrsConfigError(`line ${token.line}: blocks are nested too deep`);
    } else {
      words.push(token);
    }
  }
  if (words.length > 0 || open.length > 1) throw new SrsConfigError('the file ends within a directive');
  return root;
}

function toDirective(words: readonly Token[], end: Token): { name: string; args: string[]; children: SrsDirective[] } {
  const [name, ...args] = words;
  if (!name) throw new SrsConfigError(`line ${end.line}: unexpected "${end.text}"`);
  return { name: name.text, args: args.map((word) => word.text), children: [] };
}

function readTokens(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\n|#[^\n]*|[;{}]|"([^"\n]*)"|'([^'\n]*)'|[^\s;{}"'#]+|["']/gu;
  let line = 1;
  for (const match of text.matchAll(pattern)) {
    const [whole, double, single] = match;
    if (whole === '\n') line += 1;
    else if (whole === '"' || whole === "'") throw new SrsConfigError(`line ${line}: a quote is not closed`);
    else if (!whole.startsWith('#')) {
      const quoted = double ?? single;
      tokens.push({ text: quoted ?? whole, quoted: quoted !== undefined, line });
    }
  }
  return tokens;
}
