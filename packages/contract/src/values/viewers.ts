// What players tell of how a stream plays, and the words and bounds it may have. docs/viewers.md lists what is sent.

/** Ways a player of ours gets a stream; `llhls` is HLS in parts. */
export const viewerOutputs = ['webrtc', 'flv', 'ts', 'hls', 'llhls'] as const;
export type ViewerOutput = (typeof viewerOutputs)[number];

/** What ends or keeps back a picture. */
export const viewerErrors = ['network', 'media', 'media-path', 'codec', 'stalled', 'refused'] as const;
export type ViewerError = (typeof viewerErrors)[number];

/** Upper edges of the steps in which times to the first picture are counted, seconds; one more step is above the last. */
export const joinSteps = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 20] as const;
/** The same for how far the picture is behind, seconds. */
export const delaySteps = [0.2, 0.5, 1, 1.5, 2, 3, 5, 8, 12, 20] as const;

/** Seconds between two reports of a player. */
export const reportIntervalSeconds = 10;
/** A viewer counts as one who stalls for this long after a stall, seconds: the window of the sentences about a stream. */
export const stallMemorySeconds = 60;

/** What one way to play has given a viewer since the report before. All but `output` and `seconds` may be left out, as 0 or unknown. */
export interface OutputReport {
  readonly output: ViewerOutput;
  /** Time with a picture, or waiting for it to go on. */
  readonly seconds: number;
  readonly stalls?: number;
  readonly stalledSeconds?: number;
  /** It has stalled within `stallMemorySeconds`. */
  readonly stalledLately?: boolean;
  readonly frames?: number;
  readonly droppedFrames?: number;
  /** Media received. */
  readonly bytes?: number;
  /** How far the picture is behind, seconds. */
  readonly delay?: number;
  /** From asking to the first picture, seconds; told once. */
  readonly join?: number;
  /** Changes to another way because this one did not do. */
  readonly moves?: number;
  readonly errors?: Readonly<Partial<Record<ViewerError, number>>>;
}

/** Nothing in it says who watches. */
export interface ViewerReport {
  readonly app: string;
  readonly stream: string;
  readonly outputs: readonly OutputReport[];
}
