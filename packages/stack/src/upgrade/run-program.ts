// Runs git, npm and Node with a timeout. The last output of a failed program is reported to the operator.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** Default of `maxOutputLength`, bytes. The output may be a list of references or a changelog. */
const defaultKeptLength = 4_000_000;
/** Number of last characters of a failed program's output that are reported. They contain the reason. */
const reportedLength = 600;

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  /** Maximum length of standard output, bytes. A program with more output is killed. */
  readonly maxOutputLength?: number;
  readonly endsWithCaller?: boolean;
}

class ProgramFailure extends Error {
  override readonly name = 'ProgramFailure';
}

/**
 * Resolves with standard output. Rejects with `ProgramFailure`, whose message is the program's last output, or else the kind of failure.
 */
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
    let lastOutput = '';
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutputLength) child.kill('SIGKILL');
      else output.push(chunk);
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        lastOutput = (lastOutput + chunk.toString()).slice(-2 * reportedLength);
      });
    child.once('error', (error) => reject(new ProgramFailure(`${program}: ${error.message}`)));
    child.once('close', (code, signal) => {
      process.off('exit', end);
      if (code === 0) return resolve(Buffer.concat(output).toString());
      const reported = printable(lastOutput).trim().slice(-reportedLength);
      reject(new ProgramFailure(reported || `${program} ended with ${signal ?? `code ${code}`}`));
    });
  });
}

/** Removes control characters, colours and bidirectional overrides from a text of another program before operators see it. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{C}\n\t]/gu, '');
}
