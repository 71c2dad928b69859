// Names of the files with which the control plane sets the appearance of the watch page for the gateways of its machine.

export const watchPageFile = 'watch-page.json';
/** Folder with the images of the watch page, in the data folder. */
export const watchImagesFolder = 'watch-pictures';
