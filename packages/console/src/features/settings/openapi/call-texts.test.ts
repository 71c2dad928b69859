// Every call of the contract has a summary in every language. English summaries exist only in the OpenAPI document.
import { endpoints } from '@srs-stack/contract';
import { expect, test } from 'vitest';
import { supportedLocales } from '../../../i18n/languages.ts';
import { textFiles } from '../../../i18n/text-files.ts';
import type zh from './locales/zh.json';

const otherOperations = ['uploadFile', 'createUpload', 'readMonitorEventsByPost'];

test.each(supportedLocales.filter((locale) => locale !== 'en'))('%s has all calls and areas', async (locale) => {
  const { call, group } = (await textFiles.get(`${locale}/openapi`)!()) as typeof zh;
  expect(Object.keys(call).sort()).toEqual([...Object.keys(endpoints), ...otherOperations].sort());
  expect(Object.keys(group).sort()).toEqual([...new Set(Object.values(endpoints).map(({ tag }) => tag))].sort());
});

test('English has no file of its own', async () => {
  const texts = await textFiles.get('en/openapi')!();
  expect(Object.keys(texts)).not.toContain('call');
  expect(Object.keys(texts)).not.toContain('group');
});
