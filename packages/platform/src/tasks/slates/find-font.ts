// Uses fontconfig to find a font with all characters of a text. FFmpeg would draw empty boxes for missing characters.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { AppError, because } from '@srs-stack/contract';
import { programEnvironment } from '../../workers/launch.ts';
import { wide } from './slate-text.ts';

/** Timeout of a search, milliseconds. The first search builds the fontconfig cache. */
const timeoutMs = 20_000;
/** Maximum output, bytes: the character lists of a hundred fonts. */
const maxResponseBytes = 16 * 1024 ** 2;
/** Maximum number of characters listed in an error message. */
const maxNamedCharacters = 10;

/** Debian packages with fonts for most scripts. */
const cjkPackage = 'fonts-noto-cjk';
const otherPackage = 'fonts-noto-core';

/** Invisible characters. */
const ignored = /\s|\p{Cf}|\p{Variation_Selector}/u;

interface Font {
  readonly path: string;
  has(codePoint: number): boolean;
}

/** Absolute path of a font file. Throws AppError `slateUnusable` if fontconfig or a suitable font is missing. The error names a package. */
export async function findFont(text: string, program = 'fc-match'): Promise<string> {
  const wanted = [...new Set([...text].filter((character) => !ignored.test(character)))];
  const codePoints = wanted.map((character) => character.codePointAt(0)!);
  const fonts = await sortedFonts(codePoints, program, wanted);
  const best = fonts.find((font) => codePoints.every((codePoint) => font.has(codePoint)));
  if (best) return best.path;
  const lacking = (font: Font) => wanted.filter((character) => !font.has(character.codePointAt(0)!));
  const missing = fonts.map(lacking).reduce((least, each) => (each.length < least.length ? each : least), wanted);
  const characters = missing.slice(0, maxNamedCharacters).join(' ');
  throw new AppError('slateUnusable', because('slate.no-font', { characters, fonts: packageFor(missing) }));
}

function packageFor(characters: readonly string[]): string {
  return characters.some((character) => wide.test(character)) ? cjkPackage : otherPackage;
}

/** Best font first. Fontconfig gets code points: the text could contain pattern syntax. */
async function sortedFonts(codePoints: readonly number[], program: string, wanted: readonly string[]): Promise<Font[]> {
  const charset = codePoints.map((codePoint) => codePoint.toString(16)).join(' ');
  const pattern = `sans-serif:bold:scalable=true:color=false:charset=${charset}`;
  try {
    const { stdout } = await promisify(execFile)(program, ['-s', '-f', '%{file}\t%{charset}\n', pattern], {
      timeout: timeoutMs,
      maxBuffer: maxResponseBytes,
      env: programEnvironment(),
    });
    return stdout.split('\n').flatMap(toFont);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new AppError('slateUnusable', because('slate.no-fontconfig', { fonts: packageFor(wanted) }));
  }
}

function toFont(line: string): Font[] {
  const [path, charset] = line.split('\t');
  if (!path?.startsWith('/') || !charset) return [];
  const ranges = charset.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
  return [{ path, has: (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last) }];
}
