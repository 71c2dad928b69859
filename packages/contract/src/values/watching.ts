/** `open`: anyone who knows the stream name can watch. `verdict`: the operator's service decides in `on_play`. */
export const watchModes = ['open', 'signed', 'password', 'verdict'] as const;
export type WatchMode = (typeof watchModes)[number];
