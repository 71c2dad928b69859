// Keys of the browser storage. A separate file, because player pages load only a few small files of this package.

export const storageKeys = {
  token: 'SRS_TERRAFORM_TOKEN',
  locale: 'SRS_STACK_LOCALE',
  streamName: 'SRS_STREAM_NAME',
} as const;
