// Generates a call as curl, Python or JavaScript code that reads the secret from the environment. Pure.
import { curlCommand } from '../../../shared/curl-command.ts';

export const exampleLanguages = ['curl', 'python', 'javascript'] as const;
export type ExampleLanguage = (typeof exampleLanguages)[number];

export interface ExampleCall {
  origin: string;
  path: string;
  /** JSON text. */
  body: string;
}

export function codeExample(language: ExampleLanguage, call: ExampleCall): string {
  return writers[language](call);
}

/** Function that the generated JavaScript calls. This module makes no requests. */
const webCall = 'fetch';

const writers: Record<ExampleLanguage, (call: ExampleCall) => string> = {
  curl: ({ origin, path, body }) => curlCommand({ url: origin + path, body: compact(body) }),
  python: ({ origin, path, body }) =>
    [
      'import json, os, urllib.request',
      '',
      'request = urllib.request.Request(',
      `    ${JSON.stringify(origin + path)},`,
      `    data=json.dumps(json.loads(${JSON.stringify(compact(body))})).encode(),`,
      '    headers={',
      '        "Authorization": "Bearer " + os.environ["API_SECRET"],',
      '        "Content-Type": "application/json",',
      '    },',
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    print(json.load(response)["data"])',
    ].join('\n'),
  javascript: ({ origin, path, body }) =>
    [
      `const response = await ${webCall}(${JSON.stringify(origin + path)}, {`,
      "  method: 'POST',",
      '  headers: {',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the placeholder is part of the example
      '    Authorization: `Bearer ${process.env.API_SECRET}`,',
      "    'Content-Type': 'application/json',",
      '  },',
      `  body: JSON.stringify(${compact(body)}),`,
      '});',
      'const { code, data } = await response.json();',
      'console.log(code, data);',
    ].join('\n'),
};

/** Removes whitespace between JSON tokens. Invalid JSON is only trimmed; an empty body becomes `{}`. */
function compact(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body.trim() || '{}';
  }
}

/** Initial body: each required field with an empty value of its type, or with the first value of an enumeration. */
export function exampleBody(fields: readonly { name: string; type: string; isRequired: boolean }[]): string {
  const values: Record<string, unknown> = { string: '', number: 0, integer: 0, boolean: false, array: [], object: {} };
  const entries = fields
    .filter(({ isRequired }) => isRequired)
    .map(({ name, type }) => [name, values[type] ?? type.split(' | ', 1)[0]]);
  return JSON.stringify(Object.fromEntries(entries), null, 2);
}
