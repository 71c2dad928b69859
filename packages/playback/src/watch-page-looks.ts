// Appearance of the watch page: the control plane writes `config/watch-page.json` for the gateways of its machine. Parsed without schemas,
// because a gateway loads no schema library.

export const watchPageFile = 'watch-page.json';
/** Folder with the images of the watch page, in the data folder. */
export const watchImagesFolder = 'watch-pictures';
