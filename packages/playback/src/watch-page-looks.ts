// Appearance of the watch page, which the control plane writes for the gateways of its machine: `config/watch-page.json`. Parsed without
// schemas, because a gateway loads none.

/** Name of the file in the folder `config/` of the data folder. */
export const watchPageFile = 'watch-page.json';
/** Name of the folder with the images of the page, in the data folder. */
export const watchPicturesFolder = 'watch-pictures';
