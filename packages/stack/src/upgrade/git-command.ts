// Runs git for upgrades, without prompts, hooks and protocols that start programs. Arguments are fixed. Callers validate references and
// addresses first, and name commits by full hashes.
import { runProgram } from './run-program.ts';

/** Timeout of a local command, milliseconds. */
const localTimeoutMs = 30_000;
/** Timeout of a transfer over a slow network, milliseconds. */
const transferTimeoutMs = 600_000;
/** Disables the hooks and file system monitors of repositories, and makes git check all fetched objects. */
const safeOptions = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'transfer.fsckObjects=true'];

/** Runs a command that does not use the network. */
export function localGit(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return runGit(args, localTimeoutMs, env);
}

/** Runs a command that contacts the remote. */
export function remoteGit(args: readonly string[]): Promise<string> {
  return runGit(args, transferTimeoutMs, {});
}

function runGit(args: readonly string[], timeoutMs: number, env: NodeJS.ProcessEnv): Promise<string> {
  return runProgram('git', [...safeOptions, ...args], {
    timeoutMs,
    env: {
      ...process.env,
      GIT_TERMINAL_PROMPT: '0',
      GIT_ASKPASS: '/bin/false',
      GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
      GIT_SSH_COMMAND: process.env.GIT_SSH_COMMAND ?? 'ssh -o BatchMode=yes',
      LC_ALL: 'C',
      ...env,
    },
  });
}
