// Arguments every worker starts with: no questions, machine-readable progress on standard output.

export const baseArgs: readonly string[] = ['-nostdin', '-progress', 'pipe:1'];

/** How long FFmpeg looks at a live input to learn its codecs, microseconds: the default of 5 s would delay the start. */
export const liveAnalyzeUs = '2000000';
