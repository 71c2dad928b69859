// What the console keeps in the browser, apart from all other facts: pages with a player load it alone.

/** Browser storage keys; the older locale key is read once and then replaced. */
export const storageKeys = {
  token: 'SRS_TERRAFORM_TOKEN',
  locale: 'SRS_STACK_LOCALE',
  streamName: 'SRS_STREAM_NAME',
} as const;
