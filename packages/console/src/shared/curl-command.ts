// Formats a call as a curl command with `$API_SECRET` instead of the secret, so that the command can be shared. Pure.

/** @param body JSON text. */
export function curlCommand({ url, body }: { url: string; body: string }): string {
  return [
    'curl -H "Authorization: Bearer $API_SECRET" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '${body.replaceAll("'", "'\\''")}' \\`,
    `  ${url}`,
  ].join('\n');
}
