// An example scene with the watermark, which has the position and size that the transcoder uses.
import type { TranscodeWatermark } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import classes from './picture.module.css';
import { watermarkBox } from './watermark-box.ts';

const [sceneWidth, sceneHeight] = [320, 180];

export interface WatermarkPreviewProps {
  watermark: TranscodeWatermark;
  /** `data:` URL and size; undefined while loading. */
  image: { picture: string; width: number; height: number } | undefined;
}

export function WatermarkPreview({ watermark, image }: WatermarkPreviewProps) {
  const { t } = useTranslation('transcode');
  const markAspect = image ? image.width / image.height : 1;
  const box = watermarkBox(watermark, sceneWidth / sceneHeight, markAspect);
  return (
    <figure className={classes.preview}>
      <div className={classes.scene}>
        <Scene />
        {image && (
          <img
            src={image.picture}
            alt={t('watermark.previewAlt', {
              corner: t(`corner.${watermark.corner}`),
              percent: watermark.widthPercent,
            })}
            style={{
              left: `${box.left}%`,
              top: `${box.top}%`,
              width: `${box.width}%`,
              height: `${box.height}%`,
              opacity: watermark.opacityPercent / 100,
            }}
          />
        )}
      </div>
      <figcaption>{t('watermark.previewCaption')}</figcaption>
    </figure>
  );
}

/** Contains bright and dark areas, because some watermarks are invisible on bright or on dark areas. */
function Scene() {
  return (
    <svg viewBox={`0 0 ${sceneWidth} ${sceneHeight}`} aria-hidden="true">
      <defs>
        <linearGradient id="watermark-sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#7fb4d8" />
          <stop offset="1" stopColor="#e9d9b8" />
        </linearGradient>
      </defs>
      <rect width={sceneWidth} height={sceneHeight} fill="url(#watermark-sky)" />
      <circle cx="236" cy="62" r="19" fill="#fff4cf" />
      <path d="M0 118 54 72l40 34 48-56 62 66 42-34 74 50v72H0z" fill="#5b7f86" />
      <path d="M0 142q60-24 128-8t192-10v56H0z" fill="#33564f" />
      <path d="M0 162q90-22 170-4t150-6v28H0z" fill="#1d3530" />
    </svg>
  );
}
