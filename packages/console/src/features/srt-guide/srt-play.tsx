// How to play an SRT stream: ffplay with minimum latency, or a player of any other protocol.
import { useTranslation } from 'react-i18next';
import guide from '../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../shared/publish-guide/guide-context.ts';
import { PlayLinks } from '../../shared/publish-guide/play-links.tsx';
import { srtCommandLines } from '../../shared/publish-guide/srt-commands.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyField } from '../../ui/copy-field.tsx';

export function SrtPlay() {
  const { t } = useTranslation('srt-guide');
  const { addresses } = useGuide();
  return (
    <div className={guide.stack}>
      <h3 className={guide.subtitle}>{t('play.title')}</h3>
      <CopyField label={t('play.address')} value={addresses.srtPlayUrl} />
      <div>
        <div className={guide.codeName}>{t('play.ffplay')}</div>
        <CodeBlock name={t('play.ffplay')} code={srtCommandLines(addresses).ffplay} />
      </div>
      <p className={guide.note}>{t('play.note')}</p>
      <PlayLinks />
    </div>
  );
}
