/** Built-in platforms; any number of others can be added. */
export const builtInPlatforms = ['wx', 'bilibili', 'kuaishou'] as const;

/** Prefixes of the keys of added platforms. */
export const addedPlatformMarks = { forward: 'forwarding-', vlive: 'vlive-', camera: 'camera-' } as const;
