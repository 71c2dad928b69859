// The publisher's metadata of its stream (RTMP onMetaData and similar): plain values only.
export type MetadataValue = string | number | boolean | null | MetadataValue[] | { [key: string]: MetadataValue };
export type StreamMetadata = Readonly<Record<string, MetadataValue>>;
