// Keys of the browser storage. A separate file, because player pages load only this part of the contract.

/** Keys of the browser storage; the older locale key is migrated when it is read. */
export const storageKeys = {
  token: 'SRS_TERRAFORM_TOKEN',
  locale: 'SRS_STACK_LOCALE',
  streamName: 'SRS_STREAM_NAME',
} as const;
