// Metadata that a publisher sends, e.g. RTMP onMetaData: plain values only.
export type MetadataValue = string | number | boolean | null | MetadataValue[] | { [key: string]: MetadataValue };
export type StreamMetadata = Readonly<Record<string, MetadataValue>>;
