// Git as upgrades use it: no prompts, no hooks, no protocol that runs programs, and arguments of ours alone. References and
// addresses are checked before they get here; a commit is always its full name.
import { runProgram } from './run-program.ts';

/** A local question, milliseconds. */
const askTimeoutMs = 30_000;
/** A transfer over a slow line, milliseconds. */
const transferTimeoutMs = 600_000;
/** Wherever a repository is, its hooks, and the aliases of protocols that start programs, stay unused. */
const safeOptions = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'transfer.fsckObjects=true'];

/** A question about what is on this machine. */
export function askGit(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return runGit(args, askTimeoutMs, env);
}

/** Anything that talks to the remote. */
export function transferGit(args: readonly string[]): Promise<string> {
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
