/** What one program may use. The kernel holds it to that; what is left out is not limited. */
export interface ProgramLimits {
  /** Private memory it may ask for, its threads' stacks included, bytes (`RLIMIT_DATA`). */
  readonly memoryBytes: number;
  /** Time on processors, all threads together, seconds (`RLIMIT_CPU`). Left out for what runs for months. */
  readonly cpuSeconds?: number;
  /** Largest file it may write, bytes (`RLIMIT_FSIZE`). Pipes and sockets are no files. */
  readonly fileBytes: number;
}
