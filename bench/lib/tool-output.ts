// Output of a load tool for the bench: lines on stdout. The last line is the result.

export function printReady(count: number): void {
  console.log(`READY ${count}`);
}

/** Marks the start or end of the measuring window. The bench reads CPU and memory of the server at both lines. */
export function printWindow(edge: 'START' | 'END'): void {
  console.log(`WINDOW_${edge}`);
}

export function printResult(result: object): void {
  console.log(`RESULT ${JSON.stringify(result)}`);
}

/** Seconds of user and system time of this process. */
export function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

/** Keeps the first failure, which usually explains the later failures. */
export class FirstError {
  text = '';
  note(error: unknown): void {
    this.text ||= error instanceof Error ? error.message : String(error);
  }
}
