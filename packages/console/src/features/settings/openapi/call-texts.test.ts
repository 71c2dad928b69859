// Every call of the contract has a summary in every language; the English ones are those of the OpenAPI document.
import { endpoints } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { supportedLocales } from '../../../i18n/languages.ts';
import { textFiles } from '../../../i18n/text-files.ts';
import en from './locales/en.json';

/** Operations of the document that are no calls of the contract; packages/platform/src/plugins/openapi-other-paths.ts. */
const otherOperations = ['uploadFile', 'createUpload', 'readMonitorEventsByPost'];

test.each(supportedLocales)('%s has all calls and areas', async (locale) => {
  const { call, group } = (await textFiles.get(`${locale}/settings-api`)!()) as typeof en;
  expect(Object.keys(call).sort()).toEqual([...Object.keys(endpoints), ...otherOperations].sort());
  expect(Object.keys(group).sort()).toEqual([...new Set(Object.values(endpoints).map(({ tag }) => tag))].sort());
});

test('the English summaries are those of the contract', () => {
  for (const [name, { summary }] of Object.entries(endpoints)) expect(en.call).toMatchObject({ [name]: summary });
});
