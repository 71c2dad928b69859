// What can be switched off, and what a media server can do.

/** Parts of the product that can be switched off: protocols of the media server, then kinds of tasks. */
export const protocolComponents = ['rtmp', 'srt', 'webrtc', 'flv', 'hls'] as const;
export const taskComponents = ['forward', 'vlive', 'transcode', 'record'] as const;
export const componentNames = [...protocolComponents, ...taskComponents] as const;
export type ComponentName = (typeof componentNames)[number];

/**
 * `running`: in service. `off`: switched off here. `absent`: switched off by the environment of the server.
 * `foreign`: belongs to a media server of its own, whose configuration decides.
 */
export const componentStates = ['running', 'off', 'absent', 'foreign'] as const;

/** What a media server can do beside streaming, as its interface shows. */
export const mediaServerAbilities = ['streams', 'kick', 'reload', 'refusals', 'measurements'] as const;

/** What an SRS is in a cluster. */
export const srsRoles = ['single', 'origin', 'edge'] as const;
export type SrsRole = (typeof srsRoles)[number];
