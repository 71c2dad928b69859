// Words about who used a publish secret that is replaced.

export const secretUserKinds = ['transcode', 'forward', 'vlive', 'publisher'] as const;

/**
 * Why something does not follow a new publish secret. `elsewhere`: the address is not known as one of this server; `in-name`: the secret is part
 * of the stream name, which viewers use; `publishing`: an encoder that is live, set up by somebody.
 */
export const otherUseReasons = ['elsewhere', 'in-name', 'publishing'] as const;
