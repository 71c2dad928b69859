/** Switchable parts of the product: protocols of the media server, and kinds of tasks. */
export const protocolComponents = ['rtmp', 'srt', 'webrtc', 'flv', 'hls'] as const;
export const taskComponents = ['forward', 'vlive', 'transcode', 'record'] as const;
export const componentNames = [...protocolComponents, ...taskComponents] as const;
export type ComponentName = (typeof componentNames)[number];

/**
 * `running`: in service. `off`: switched off in the console. `absent`: switched off by an environment variable. `foreign`: part of an
 * external media server, which the configuration of that server switches on or off.
 */
export const componentStates = ['running', 'off', 'absent', 'foreign'] as const;

/** Features of a media server besides streaming, as reported by its API. */
export const mediaServerAbilities = ['streams', 'kick', 'reload', 'refusals', 'measurements'] as const;

export const srsRoles = ['single', 'origin', 'edge'] as const;
export type SrsRole = (typeof srsRoles)[number];
