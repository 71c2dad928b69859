// What the publisher says about its stream (RTMP onMetaData and the like): plain values only.
export type MetadataValue = string | number | boolean | null | MetadataValue[] | { [key: string]: MetadataValue };
export type StreamMetadata = Readonly<Record<string, MetadataValue>>;
