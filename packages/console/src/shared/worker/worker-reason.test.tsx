import { programWords, toWirePhrase, type WorkerDetail, workerDetail } from '@srs-stack/contract';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { startI18n } from '../../i18n/i18n.ts';
import type { Locale } from '../../i18n/languages.ts';
import { Providers } from '../providers.tsx';
import { WorkerReasonNote, type WorkerReasonProps } from './worker-reason.tsx';

const facts = { enabled: true, state: 'retrying', reason: 'timeout', retryInMs: 4_000 } as const;

async function show(reported: WorkerReasonProps['reported'], locale: Locale): Promise<void> {
  await startI18n(locale, ['common', 'worker']);
  render(
    <Providers client={createQueryClient()} env="test">
      <WorkerReasonNote facts={facts} reported={reported} />
    </Providers>,
  );
}

const statusOf = (detail: WorkerDetail) => ({ reasonDetail: detail.text, detail: toWirePhrase(detail) });

test.each<[Locale, string]>([
  ['zh', '目标在 10 秒内没有响应。'],
  ['en', 'The target did not respond within 10 s.'],
])('a message of the server is shown in %s', async (locale, text) => {
  await show(statusOf(workerDetail('target-silent', { seconds: 10 })), locale);
  expect(screen.getByText(text)).toBeTruthy();
});

test('FFmpeg messages are not changed', async () => {
  const words = 'Connection to tcp://127.0.0.1:9 failed: Connection refused';
  await show(statusOf(programWords(words)), 'zh');
  expect(screen.getByText(words)).toBeTruthy();
});

test.each([
  { reasonDetail: 'words of an older server' },
  { reasonDetail: 'words of a newer server', detail: { key: 'of-next-year', values: {} } },
])('a detail without a translation is shown as the text of the server: $reasonDetail', async (reported) => {
  await show(reported, 'zh');
  expect(screen.getByText(reported.reasonDetail)).toBeTruthy();
});
