// Tests the Chinese and English reasons of refusals, and the fallback for unknown reasons.
import { AppError, because, type FailureEnvelope, verbatim } from '@srs-stack/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../api/api-error.ts';
import { createQueryClient } from '../../api/query-client.ts';
import { startI18n } from '../../i18n/i18n.ts';
import type { Locale } from '../../i18n/languages.ts';
import { InlineFailure } from '../inline-failure.tsx';
import { Providers } from '../providers.tsx';
import { QueryFailure } from '../query-failure.tsx';
import { ErrorAlert } from './error-alert.tsx';

/** Creates the error that `api-client.ts` throws for this response. */
function refused(error: AppError, change: Partial<FailureEnvelope['data']> = {}): ApiError {
  const { message, name: errorName, reason } = { ...error.facts, ...change };
  const { code, httpStatus: status } = error.definition;
  return new ApiError({ kind: 'refused', url: '/x', status, code, message, errorName, reason });
}
const show = async (locale: Locale, part: React.ReactNode) => {
  await startI18n(locale, ['common', 'errors']);
  render(
    <Providers client={createQueryClient()} env="test">
      <MemoryRouter initialEntries={[`/${locale}`]}>{part}</MemoryRouter>
    </Providers>,
  );
};
const shown = async () => (await screen.findByRole('alert')).textContent;

const own = new AppError('proxyLocationInvalid', because('proxy.own', { segment: 'mgmt' }));
const codec = because('transcode.range', {
  field: because('transcode.field.vbitrate'),
  value: 5,
  min: 100,
  max: 100_000,
  unit: because('transcode.unit.kbps'),
});

test.each([
  ['zh', own, '/mgmt 是本产品自己的路径。'],
  ['en', own, '/mgmt is reserved by this product.'],
  ['zh', new AppError('invalidRequest', codec), '视频码率不能是 5，应为 100 到 100000（Kbps）。'],
  ['en', new AppError('invalidRequest', codec), 'Video bitrate cannot be 5, it must be 100 to 100000 Kbps.'],
  [
    'zh',
    new AppError(
      'invalidRequest',
      because('fields.list', {
        issues: [because('fields.missing', { field: 'a' }), because('fields.too-long', { field: 'b', maximum: 3 })],
      }),
    ),
    '缺少“a”；“b”最多 3 个字符。',
  ],
  ['zh', new AppError('mediaUnusable', verbatim('moov atom not found')), 'moov atom not found'],
] as const)('%s: %s', async (locale, error, words) => {
  await show(locale, <InlineFailure error={refused(error)} />);
  expect(await shown()).toContain(words);
  expect(await shown()).not.toContain(error.message);
});

test('an unknown reason is shown with the message of the server', async () => {
  const newer = { key: 'of-next-year', values: {} };
  await show('zh', <InlineFailure error={refused(own, { reason: newer })} />);
  expect(await shown()).toContain('this path cannot be proxied: /mgmt is reserved by this product');
});

test('a code with a full explanation does not repeat its English message', async () => {
  const full = new AppError('diskFull');
  await show('zh', <InlineFailure error={refused(full)} />);
  expect(await shown()).toContain('磁盘空间不足。');
  expect(await shown()).not.toContain(full.message);
});

test('the alert of the page shows the reason, and the message of the server among the details', async () => {
  await show('zh', <ErrorAlert error={refused(own)} onDismiss={vi.fn()} />);
  expect(await shown()).toContain('不能代理该路径。');
  expect(await shown()).toContain('/mgmt 是本产品自己的路径。');
  await userEvent.click(screen.getByRole('button', { name: '技术细节' }));
  expect(await shown()).toContain(own.message);
});

test('a part of a page that failed to load shows the reason', async () => {
  const error = refused(new AppError('notFound', because('certificate.files-gone')));
  await show('zh', <QueryFailure error={error} onRetry={vi.fn()} />);
  expect(await screen.findByText('证书文件已不存在，请重新上传或申请。')).toBeTruthy();
});
