// Which stand-alone pages this version ships. Links to the others are left out, so that nothing leads nowhere.

export const availablePages = {
  /** `/console/ng_index.html` and `/console/en_index.html`. */
  mediaServerConsole: false,
} as const;
