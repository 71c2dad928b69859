// Accordion item 2: FFmpeg over RTMP, from a file or a generated test pattern.
import { commandLines } from '@srs-stack/contract/addresses.ts';
import { Trans, useTranslation } from 'react-i18next';
import { rtmpFirewallPort } from '../../../shared/publish-guide/firewall-ports.ts';
import classes from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { MaskedCode } from '../../../shared/publish-guide/masked-code.tsx';
import { PlayLinks, WordPressCodes } from '../../../shared/publish-guide/play-links.tsx';
import { PublishQr } from '../../../shared/publish-guide/publish-qr.tsx';
import { FirewallReminder, Steps } from '../../../shared/publish-guide/steps.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { RtmpAddresses } from './rtmp-addresses.tsx';

const stepKeys = ['install', 'run', 'watch'] as const;

export function FfmpegRtmp() {
  const { t } = useTranslation('live');
  const { addresses } = useGuide();
  const lines = commandLines(addresses);
  return (
    <div className={classes.item}>
      <FirewallReminder protocol="rtmp" port={rtmpFirewallPort(addresses)} />
      <Steps>
        {stepKeys.map((key) => (
          <li key={key}>
            <Trans t={t} i18nKey={`ffmpeg.${key}`} components={{ b: <b /> }} />
          </li>
        ))}
      </Steps>
      <div className={classes.stack}>
        <MaskedCode name={t('ffmpeg.file')} code={lines.ffmpegFile} />
        <MaskedCode name={t('ffmpeg.pattern')} code={lines.ffmpegTestPattern} />
        <MaskedCode name={t('ffmpeg.reencode')} code={lines.ffmpegReencode} />
        <div>
          <div className={classes.codeName}>{t('ffmpeg.play')}</div>
          <CodeBlock name={t('ffmpeg.play')} code={lines.ffplayFlv} />
        </div>
      </div>
      <div className={classes.withQr}>
        <RtmpAddresses />
        <PublishQr url={addresses.rtmpPublishUrl} protocol="RTMP" />
      </div>
      <PlayLinks />
      <WordPressCodes />
    </div>
  );
}
