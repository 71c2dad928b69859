// Appearance of the watch page, written by the control plane for the gateways of its machine: `config/watch-page.json`.
// Plain, because a gateway loads no schemas.

/** Below the folder `config/` of the data folder. */
export const watchPageFile = 'watch-page.json';
/** Images of the page, below the data folder. */
export const watchPicturesFolder = 'watch-pictures';
