// Why the media server refuses a publisher or viewer.

/** Reasons of a refusal. The console has a message and a remedy for each. */
export const refusalReasons = [
  'publish-secret-wrong',
  'stream-busy',
  'name-invalid',
  'callback-refused',
  'control-plane-away',
  'protocol-error',
  'codec-unsupported',
  'timeout',
  'limit-reached',
  'passphrase-wrong',
  'usage-limit',
  'switched-off',
  'draining',
  'link-missing',
  'link-expired',
  'link-wrong',
  'password-missing',
] as const;
