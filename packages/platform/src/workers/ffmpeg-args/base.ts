// Arguments of all workers: no prompts, machine-readable progress on standard output.

export const baseArgs: readonly string[] = ['-nostdin', '-progress', 'pipe:1'];

/** Probing time of a live input, microseconds. The default of 5 s would delay the start. */
export const liveAnalyzeUs = '2000000';
