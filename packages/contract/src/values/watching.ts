// Ways to decide who may watch.

/** `open`: whoever knows the name; `verdict`: the operator's own service is asked by `on_play`. */
export const watchModes = ['open', 'signed', 'password', 'verdict'] as const;
export type WatchMode = (typeof watchModes)[number];
