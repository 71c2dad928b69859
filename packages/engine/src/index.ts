export { createEngine } from './create-engine.ts';
export { type BoundAddresses, type Engine, EngineStartError } from './engine.ts';
export type * from './engine-config.ts';
export type * from './engine-snapshot.ts';
export { defaultVhost, type StreamKey, toStreamUrl } from './hub/stream-key.ts';
export type { AudioTrack, Track, VideoTrack } from './hub/track.ts';
export type * from './ports.ts';
export type * from './session-info.ts';
