// QR code of the publish address for phone encoders, in languages whose operators use QR codes.
import { qrCodeSizePx } from '@srs-stack/contract/constants.ts';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { ofLocale } from '../../i18n/of-locale.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import classes from './guide.module.css';
import { regionalExtras } from './regional.ts';

const QrCode = lazy(async () => ({ default: (await import('qrcode.react')).QRCodeSVG }));

/** @param protocol displayed name, e.g. `RTMP`. */
export function PublishQr({ url, protocol }: { url: string; protocol: string }) {
  const { t } = useTranslation('live');
  if (!ofLocale(regionalExtras, useLocale()).publishQr) return null;
  return (
    <figure className={classes.qr}>
      <Suspense fallback={<div style={{ width: qrCodeSizePx, height: qrCodeSizePx }} />}>
        <QrCode value={url} size={qrCodeSizePx} marginSize={2} title={t('guide.qrTitle', { protocol })} />
      </Suspense>
      <figcaption>{t('guide.qrHint')}</figcaption>
    </figure>
  );
}
