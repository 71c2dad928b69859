// Enumerations of the uses of a publish secret that is replaced.

export const secretUserKinds = ['transcode', 'forward', 'vlive', 'camera', 'publisher'] as const;

/**
 * Why a use is not updated automatically. `elsewhere`: the address does not belong to this server. `in-name`: the secret is part of the
 * stream name, which viewers use. `publishing`: a live encoder, which is configured outside this product.
 */
export const otherUseReasons = ['elsewhere', 'in-name', 'publishing'] as const;
