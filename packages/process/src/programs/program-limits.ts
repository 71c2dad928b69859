/** Resource limits of a program, enforced by the kernel. An absent limit means unlimited. */
export interface ProgramLimits {
  /** Private memory with thread stacks, bytes (`RLIMIT_DATA`). */
  readonly memoryBytes: number;
  /** CPU time of all threads together, seconds (`RLIMIT_CPU`). Absent for programs that run for months. */
  readonly cpuSeconds?: number;
  /** Size of the largest file that the program may write, bytes (`RLIMIT_FSIZE`). Pipes and sockets are not limited. */
  readonly fileBytes: number;
}
