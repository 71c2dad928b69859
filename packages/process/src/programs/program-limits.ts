/** Resource limits of one program, enforced by the kernel; an absent limit means unlimited. */
export interface ProgramLimits {
  /** Private memory including thread stacks, bytes (`RLIMIT_DATA`). */
  readonly memoryBytes: number;
  /** CPU time of all threads together, seconds (`RLIMIT_CPU`). Absent for programs that run for months. */
  readonly cpuSeconds?: number;
  /** Largest file it may write, bytes (`RLIMIT_FSIZE`). Does not apply to pipes and sockets. */
  readonly fileBytes: number;
}
