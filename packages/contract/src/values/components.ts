// Components that can be switched off, and features of a media server.

/** Parts of the product that can be switched off: protocols of the media server, then kinds of tasks. */
export const protocolComponents = ['rtmp', 'srt', 'webrtc', 'flv', 'hls'] as const;
export const taskComponents = ['forward', 'vlive', 'transcode', 'record'] as const;
export const componentNames = [...protocolComponents, ...taskComponents] as const;
export type ComponentName = (typeof componentNames)[number];

/**
 * `running`: in service. `off`: switched off in the console. `absent`: switched off by the environment of the server. `foreign`: belongs to
 * an external media server, whose configuration decides.
 */
export const componentStates = ['running', 'off', 'absent', 'foreign'] as const;

/** Abilities of a media server besides streaming, as its API reports them. */
export const mediaServerAbilities = ['streams', 'kick', 'reload', 'refusals', 'measurements'] as const;

/** Roles of an SRS in a cluster. */
export const srsRoles = ['single', 'origin', 'edge'] as const;
export type SrsRole = (typeof srsRoles)[number];
