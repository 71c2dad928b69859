// Playback reports of players: enumerations and limits. docs/reference/playback-reports.md lists the fields.

/** Output protocols of the product's players; `llhls` is low-latency HLS. */
export const viewerOutputs = ['webrtc', 'flv', 'ts', 'hls', 'llhls'] as const;
export type ViewerOutput = (typeof viewerOutputs)[number];

/** Errors that prevent or end playback. */
export const viewerErrors = ['network', 'media', 'media-path', 'codec', 'stalled', 'refused'] as const;
export type ViewerError = (typeof viewerErrors)[number];

/** Upper bounds of the histogram buckets for time to first frame, seconds; one more bucket is above the last. */
export const joinSteps = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20] as const;
/** Upper bounds of the histogram buckets for the delay of the video behind live, seconds; one more bucket is above the last. */
export const delaySteps = [0.2, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 20] as const;

/** Interval of a player's reports, seconds. */
export const reportIntervalSeconds = 10;
/** A viewer counts as stalled for this long after a stall, seconds: the window of the findings about a stream. */
export const stallMemorySeconds = 60;

/**
 * Playback with one output protocol since the previous report. All fields except `output` and `seconds` may be absent, which means 0 or
 * unknown.
 */
export interface OutputReport {
  readonly output: ViewerOutput;
  /** Duration of playback since the previous report. */
  readonly seconds: number;
  readonly stalls?: number;
  readonly stalledSeconds?: number;
  /** Whether the playback has stalled within the last `stallMemorySeconds`. */
  readonly stalledLately?: boolean;
  readonly frames?: number;
  readonly droppedFrames?: number;
  /** Media received. */
  readonly bytes?: number;
  /** Delay of the video behind live, seconds. */
  readonly delay?: number;
  /** Time to first frame, seconds; reported once. */
  readonly join?: number;
  /** Number of switches to another output protocol because this one failed. */
  readonly moves?: number;
  readonly errors?: Readonly<Partial<Record<ViewerError, number>>>;
}

/** Contains nothing that identifies the viewer. */
export interface ViewerReport {
  readonly app: string;
  readonly stream: string;
  readonly outputs: readonly OutputReport[];
}
