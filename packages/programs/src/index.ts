// How FFmpeg and ffprobe are started: within limits of the operating system, which no media file can talk them out of.
export { type LimitReached, limitReached } from './limit-reached.ts';
export { areLimitsApplied, type LimitedCommand, limitedCommand } from './limited-command.ts';
export * from './media-limits.ts';
export type { ProgramLimits } from './program-limits.ts';
