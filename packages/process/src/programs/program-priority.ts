// CPU priorities of servers and media programs. With autogroup (default of Debian and Ubuntu outside containers), Linux first divides the
// CPU between sessions. A nice value then has an effect only within its session, so the session gets a nice value too.
import { readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Pause before the next attempt, milliseconds. Linux lets a user change one session per tenth of a second. */
const retryMs = 150;
/** Maximum number of attempts per session: about a minute, enough for hundreds of programs that start simultaneously. */
const mostAttempts = 400;

/**
 * Sets the priority of a program and of its session. The session of this process is never changed.
 * @param niceness -20 to 19. Negative values need a right (root, or `LimitNICE` of a systemd service). Without it, nothing changes.
 */
export function setProgramPriority(pid: number, niceness: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    return; // not permitted, or the process has already ended
  }
  const session = sessionOf(pid);
  if (session && session !== sessionOf('self')) setSessionPriority({ pid, session }, niceness, mostAttempts);
}

interface SessionProcess {
  readonly pid: number;
  readonly session: string;
}

function setSessionPriority(program: SessionProcess, niceness: number, attempts: number): void {
  const { pid, session } = program;
  // The pid may meanwhile belong to another program.
  if (sessionOf(pid) !== session) return;
  try {
    writeFileSync(sessionFile(pid), String(niceness));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempts <= 1) return;
    setTimeout(() => setSessionPriority(program, niceness, attempts - 1), retryMs).unref();
  }
}

const sessionFile = (pid: number | 'self'): string => `/proc/${pid}/autogroup`;

/** Name of the kernel's scheduling group of a session. Undefined without autogroup, and for a process that has exited. */
function sessionOf(pid: number | 'self'): string | undefined {
  try {
    return /^\/autogroup-\d+/.exec(readFileSync(sessionFile(pid), 'utf8'))?.[0];
  } catch {
    return undefined;
  }
}
