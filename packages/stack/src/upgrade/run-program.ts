// Runs git, npm and the tools of a release to their end, within a time, keeping the last of what they said for the operator.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** Output kept, characters: a list of references, a changelog, the end of npm's complaints. */
const defaultKeptLength = 4_000_000;
/** What is told of a program that failed, characters: its last lines say why. */
const toldLength = 600;

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** After this the program is killed, milliseconds. */
  readonly timeoutMs: number;
  /** A program that says more is killed, characters. */
  readonly maxOutputLength?: number;
  /** The program ends when this process does; otherwise it goes on. */
  readonly endsWithCaller?: boolean;
}

class ProgramFailure extends Error {
  override readonly name = 'ProgramFailure';
}

/** Resolves with standard output; rejects with `ProgramFailure` whose message ends with the program's last words. */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<string> {
  const { cwd, env = process.env, timeoutMs, maxOutputLength = defaultKeptLength, endsWithCaller = false } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const end = () => child.kill();
    if (endsWithCaller) process.once('exit', end);
    const output: Buffer[] = [];
    let length = 0;
    let words = '';
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutputLength) child.kill('SIGKILL');
      else output.push(chunk);
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        words = (words + chunk.toString()).slice(-2 * toldLength);
      });
    child.once('error', (error) => reject(new ProgramFailure(`${program}: ${error.message}`)));
    child.once('close', (code, signal) => {
      process.off('exit', end);
      if (code === 0) return resolve(Buffer.concat(output).toString());
      const told = printable(words).trim().slice(-toldLength);
      reject(new ProgramFailure(told || `${program} ended with ${signal ?? `code ${code}`}`));
    });
  });
}

/** Without control characters, colours, and what turns the direction of text: what others say is shown to operators. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{C}\n\t]/gu, '');
}
