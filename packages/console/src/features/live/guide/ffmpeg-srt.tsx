// Accordion item 4: FFmpeg over SRT, from a file or a generated test pattern.
import { Trans, useTranslation } from 'react-i18next';
import { srtFirewallPort } from '../../../shared/publish-guide/firewall-ports.ts';
import guide from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { MaskedCode } from '../../../shared/publish-guide/masked-code.tsx';
import { PlayLinks, WordPressCodes } from '../../../shared/publish-guide/play-links.tsx';
import { PublishQr } from '../../../shared/publish-guide/publish-qr.tsx';
import { srtCommandLines } from '../../../shared/publish-guide/srt-commands.ts';
import { FirewallReminder, Steps } from '../../../shared/publish-guide/steps.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { WholeAddress } from './whole-address.tsx';

const stepKeys = ['install', 'run', 'watch'] as const;

export function FfmpegSrt() {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  const lines = srtCommandLines(addresses);
  return (
    <div className={guide.item}>
      <FirewallReminder protocol="srt" port={srtFirewallPort(addresses)} />
      <Steps>
        {stepKeys.map((key) => (
          <li key={key}>
            <Trans t={t} i18nKey={`ffmpegSrt.${key}`} components={{ b: <b />, code: <code /> }} />
          </li>
        ))}
      </Steps>
      <div className={guide.stack}>
        <MaskedCode name={t('ffmpeg.file')} code={lines.ffmpegFile} />
        <MaskedCode name={t('ffmpeg.pattern')} code={lines.ffmpegTestPattern} />
        <MaskedCode name={t('ffmpeg.reencode')} code={lines.ffmpegReencode} />
        <div>
          <div className={guide.codeName}>{t('ffmpegSrt.play')}</div>
          <CodeBlock name={t('ffmpegSrt.play')} code={lines.ffplay} />
        </div>
        <p className={guide.note}>{t('ffmpegSrt.windows')}</p>
      </div>
      <div className={guide.withQr}>
        <WholeAddress url={addresses.srtPublishUrl} emptyField={t('guide.streamKey')} />
        <PublishQr url={addresses.srtPublishUrl} protocol="SRT" />
      </div>
      <PlayLinks />
      <WordPressCodes />
    </div>
  );
}
