// Enumerations and limits of playback reports, which players send; docs/reference/playback-reports.md lists the fields.

/** Output protocols of the product's players; `llhls` is low-latency HLS. */
export const viewerOutputs = ['webrtc', 'flv', 'ts', 'hls', 'llhls'] as const;
export type ViewerOutput = (typeof viewerOutputs)[number];

export const viewerErrors = ['network', 'media', 'media-path', 'codec', 'stalled', 'refused'] as const;
export type ViewerError = (typeof viewerErrors)[number];

/** Bounds of the histogram buckets for time to first frame, seconds. A further bucket counts longer times. */
export const joinSteps = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20] as const;
/** Bounds of the histogram buckets for the latency of a viewer, seconds. A further bucket counts longer times. */
export const delaySteps = [0.2, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 20] as const;

export const reportIntervalSeconds = 10;
/** A viewer counts as recently stalled for this time after a stall, seconds. */
export const stallMemorySeconds = 60;

/** Playback with one output protocol since the previous report. An absent field means 0 or unknown. */
export interface OutputReport {
  readonly output: ViewerOutput;
  readonly seconds: number;
  readonly stalls?: number;
  readonly stalledSeconds?: number;
  /** Whether the playback stalled within the last `stallMemorySeconds`. */
  readonly stalledLately?: boolean;
  readonly frames?: number;
  readonly droppedFrames?: number;
  /** Media received. */
  readonly bytes?: number;
  /** Latency behind live, seconds. */
  readonly delay?: number;
  /** Time to first frame, seconds; reported once. */
  readonly join?: number;
  /** Number of switches to another output protocol after a failure. */
  readonly moves?: number;
  readonly errors?: Readonly<Partial<Record<ViewerError, number>>>;
}

/** Contains nothing that identifies the viewer. */
export interface ViewerReport {
  readonly app: string;
  readonly stream: string;
  readonly outputs: readonly OutputReport[];
}
