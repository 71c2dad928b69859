// Places that use a publish secret which the operator replaces.

export const secretUserKinds = ['transcode', 'forward', 'vlive', 'camera', 'publisher'] as const;

/**
 * Why a place is not updated automatically. `elsewhere`: the address is of another server. `in-name`: the secret is part of a stream name,
 * which viewers use. `publishing`: a live encoder, configured outside this product.
 */
export const otherUseReasons = ['elsewhere', 'in-name', 'publishing'] as const;
