// Kinds of access rules.

/** `open`: anyone who knows the name can watch; `verdict`: the operator's own service decides in `on_play`. */
export const watchModes = ['open', 'signed', 'password', 'verdict'] as const;
export type WatchMode = (typeof watchModes)[number];
