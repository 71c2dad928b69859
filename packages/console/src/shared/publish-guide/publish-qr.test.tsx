import { qrCodeSizePx } from '@srs-stack/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CurrentLocale } from '../../navigation/current-locale.ts';
import { renderPart } from '../../testing/render-part.tsx';
import { PublishQr } from './publish-qr.tsx';

test('the QR code is 200 pixels wide and high, and only where operators expect one', async () => {
  expect(qrCodeSizePx).toBe(200);
  const part = <PublishQr url="rtmp://host/live/livestream?secret=x" protocol="RTMP" />;
  const { rerender, container } = await renderPart(<CurrentLocale value="zh">{part}</CurrentLocale>, ['live']);
  const code = await screen.findByRole('img');
  expect([code.getAttribute('width'), code.getAttribute('height')]).toEqual(['200', '200']);
  rerender(<CurrentLocale value="en">{part}</CurrentLocale>);
  expect(container.querySelector('svg')).toBeNull();
});
