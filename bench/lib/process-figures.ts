// CPU time and memory from /proc: of one process, of a process with its descendants, or of the machine.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks per second and page size (bytes) of Linux on the supported platforms. */
const ticksPerSecond = 100;
const pageBytes = 4096;

export interface ProcessFigures {
  /** User and system time, seconds, including children that have exited. */
  readonly cpu: number;
  readonly systemCpu: number;
  readonly rssBytes: number;
  readonly processes: number;
}

const nothing: ProcessFigures = { cpu: 0, systemCpu: 0, rssBytes: 0, processes: 0 };

function readStat(pid: number): (ProcessFigures & { parent: number }) | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The process name is in parentheses and may contain spaces. Fields are counted from the parenthesis (proc(5): field 3 is index 0).
    const field = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const at = (index: number): number => field[index] ?? 0;
    const systemCpu = (at(12) + at(14)) / ticksPerSecond;
    return {
      parent: at(1),
      cpu: (at(11) + at(13)) / ticksPerSecond + systemCpu,
      systemCpu,
      rssBytes: at(21) * pageBytes,
      processes: 1,
    };
  } catch {
    return undefined; // exited
  }
}

/** CPU time and memory of one process; zeros when it has exited. */
export function processFigures(pid: number): ProcessFigures {
  return readStat(pid) ?? nothing;
}

/** Memory of a process, bytes. Each shared page counts only in part (Pss, proc_pid_smaps(5)). */
export function proportionalBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}

/** Process ids of `pid` and all its descendants. */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    if (stat) children.set(stat.parent, [...(children.get(stat.parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (let index = 0; index < found.length; index += 1) found.push(...(children.get(found[index]!) ?? []));
  return found;
}

/** Sum over a process and all its descendants. */
export function treeFigures(pid: number): ProcessFigures {
  return sumFigures(processTree(pid));
}

/** Sum over several processes. */
export function sumFigures(pids: readonly number[]): ProcessFigures {
  return pids.map(processFigures).reduce(
    (sum, one) => ({
      cpu: sum.cpu + one.cpu,
      systemCpu: sum.systemCpu + one.systemCpu,
      rssBytes: sum.rssBytes + one.rssBytes,
      processes: sum.processes + one.processes,
    }),
    nothing,
  );
}

/** Seconds in which the cores were busy, and seconds that the host of this virtual machine used for other machines. */
export function machineFigures(): { busy: number; steal: number } {
  const [first = ''] = readFileSync('/proc/stat', 'latin1').split('\n');
  const ticks = first.trim().split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = ticks;
  return { busy: (user + nice + system + irq + softIrq) / ticksPerSecond, steal: steal / ticksPerSecond };
}

/** False for a process that has exited, including zombies. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
