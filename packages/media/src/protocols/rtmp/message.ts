// One RTMP message (RTMP 1.0 §6.1) and the constants of its types.

export const messageType = {
  setChunkSize: 1,
  abort: 2,
  acknowledgement: 3,
  userControl: 4,
  windowAckSize: 5,
  setPeerBandwidth: 6,
  audio: 8,
  video: 9,
  dataAmf3: 15,
  sharedObjectAmf3: 16,
  commandAmf3: 17,
  dataAmf0: 18,
  sharedObjectAmf0: 19,
  commandAmf0: 20,
  aggregate: 22,
} as const;

export interface RtmpMessage {
  readonly typeId: number;
  /** Message stream: 0 for the connection, another id for the published or played stream. */
  readonly streamId: number;
  /** Milliseconds, 32 bits, wraps. */
  readonly timestamp: number;
  /** May be a slice of a shared receive buffer: never modify it. */
  readonly payload: Buffer;
}

/** Chunk stream ids of sent messages (§5.3.1.1 reserves 2 for control). All connections use the same ids, so players can share chunks. */
export const chunkStream = { control: 2, command: 3, data: 5, audio: 6, video: 7 } as const;

/** Returned by every `createStream`. A connection has only one stream, and a constant id lets all players share chunks. */
export const mediaStreamId = 1;
