// System programs that the product or its tests need. A missing program is installed with apt-get from the system's package source, if
// possible. Otherwise one message contains the command to run.
import { spawn, spawnSync } from 'node:child_process';
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import type { ProvenPrograms } from './proven-programs.ts';

export interface SystemProgram {
  /** Name in messages for the operator, e.g. `FFmpeg 5.1 or newer`. */
  readonly title: string;
  readonly packages: readonly string[];
  /** Executables whose check is cached until their files change. Absent: the program is checked at every start. */
  readonly commands?: readonly string[];
  readonly isPresent: () => boolean;
  /** Whether the product works with an installed alternative. Absent: the program is required. */
  readonly hasSubstitute?: () => boolean;
}

/** Earlier FFmpeg releases lack muxer and protocol options that the workers use. */
const minimumFfmpeg = { major: 5, minor: 1 };

const ffmpegCommands = ['ffmpeg', 'ffprobe'];

export const ffmpeg: SystemProgram = {
  title: `FFmpeg ${minimumFfmpeg.major}.${minimumFfmpeg.minor} or newer`,
  packages: ['ffmpeg'],
  commands: ffmpegCommands,
  isPresent: () => ffmpegCommands.every((program) => isRecentFfmpeg(firstLineOf(program, ['-version']))),
};

/** Checks the first line of `ffmpeg -version`. Development builds (`N-…`, `git-…`) count as recent. */
export function isRecentFfmpeg(versionLine: string): boolean {
  const version = /^ff(?:mpeg|probe) version (\S+)/.exec(versionLine)?.[1];
  if (version === undefined) return false;
  const release = /^n?(\d+)\.(\d+)/.exec(version);
  if (!release) return true;
  const [major, minor] = [Number(release[1]), Number(release[2])];
  return major > minimumFfmpeg.major || (major === minimumFfmpeg.major && minor >= minimumFfmpeg.minor);
}

/** First line of a program's output; empty if the program cannot run. */
export function firstLineOf(program: string, args: readonly string[]): string {
  const { stdout } = spawnSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return stdout?.split('\n', 1)[0] ?? '';
}

/** Number of last characters of an installer's output that are kept. The last lines contain the error. */
const keptOutputLength = 8_000;

export interface InstallOptions {
  readonly say: (line: string) => void;
  /** Command that the operator runs after a manual installation, such as `npm start`. */
  readonly retryCommand: string;
  /** Programs that earlier starts found usable. Absent: every program is checked. */
  readonly proven?: ProvenPrograms;
}

/**
 * Ensures that every program or an alternative is installed.
 * @throws StartRefusal with the command to run, if a program is still missing.
 */
export async function ensurePrograms(programs: readonly SystemProgram[], options: InstallOptions): Promise<void> {
  const { proven } = options;
  const isThere = (program: SystemProgram): boolean => {
    const { commands } = program;
    if (!proven || !commands) return program.isPresent();
    if (proven.isProven(commands)) return true;
    if (!program.isPresent()) return false;
    proven.remember(commands);
    return true;
  };
  const missing = programs.filter((program) => !isThere(program));
  if (missing.length === 0) return;
  const titles = missing.map((program) => program.title).join(', ');
  const packages = [...new Set(missing.flatMap((program) => program.packages))];
  const privilege = packages.length > 0 ? aptPrivilege() : undefined;
  if (privilege) {
    options.say(`Installing ${titles} with apt-get (needed once) ...`);
    await aptInstall(privilege, packages);
  }
  const stillMissing = missing.filter((program) => !program.isPresent() && !program.hasSubstitute?.());
  if (stillMissing.length === 0) return;
  const names = stillMissing.map((program) => program.title).join(', ');
  throw new StartRefusal(
    `${names} not found. Install with: ${manualCommand(packages)}, then run ${options.retryCommand} again.`,
  );
}

/** Command prefix for apt-get: empty for root, `sudo -n` if sudo needs no password. Undefined: apt-get cannot be used. */
function aptPrivilege(): readonly string[] | undefined {
  if (!hasAptGet()) return undefined;
  if (process.getuid?.() === 0) return [];
  return spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0 ? ['sudo', '-n'] : undefined;
}

function hasAptGet(): boolean {
  return firstLineOf('apt-get', ['--version']) !== '';
}

async function aptInstall(privilege: readonly string[], packages: readonly string[]): Promise<void> {
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0'];
  await runQuietly([...privilege, 'apt-get', ...quiet, 'update']);
  const install = ['apt-get', ...quiet, 'install', '-y', '--no-install-recommends', ...packages];
  await runQuietly([...privilege, 'env', 'DEBIAN_FRONTEND=noninteractive', ...install]);
}

/** Runs a program to its end, and prints its output only on failure. The caller must check afterwards whether the program is installed. */
function runQuietly([program = '', ...args]: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-keptOutputLength);
      });
    child.once('error', () => resolve());
    child.once('close', (code) => {
      if (code !== 0) process.stderr.write(output);
      resolve();
    });
  });
}

function manualCommand(packages: readonly string[]): string {
  if (hasAptGet()) return `sudo apt-get update && sudo apt-get install -y ${packages.join(' ')}`;
  if (process.platform === 'darwin') return `brew install ${packages.join(' ')}`;
  return `your system's package manager (Debian names: ${packages.join(' ')})`;
}
