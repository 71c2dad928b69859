// The platforms a stream is sent to.

/** The platforms every installation has; any number of others may be added. */
export const builtInPlatforms = ['wx', 'bilibili', 'kuaishou'] as const;

/** Keys of added platforms contain this. */
export const addedPlatformMarks = { forward: 'forwarding-', vlive: 'vlive-' } as const;
