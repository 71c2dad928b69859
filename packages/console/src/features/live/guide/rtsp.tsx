// Accordion item 7: publishing and playing over RTSP, for cameras, FFmpeg, GStreamer and computer vision.
import { commandLines } from '@srs-stack/contract/addresses.ts';
import { useTranslation } from 'react-i18next';
import { useEnvironment } from '../../../shared/environment.ts';
import { rtspFirewallPort } from '../../../shared/publish-guide/firewall-ports.ts';
import guide from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { MaskedCode } from '../../../shared/publish-guide/masked-code.tsx';
import { NewNameButton } from '../../../shared/publish-guide/new-name-button.tsx';
import { PlayLinks } from '../../../shared/publish-guide/play-links.tsx';
import { OpenPort } from '../../../shared/publish-guide/steps.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';

export function Rtsp() {
  const { t } = useTranslation('live');
  const { addresses, secret } = useGuide();
  const lines = commandLines(addresses);
  return (
    <div className={guide.item}>
      <OpenPort port={rtspFirewallPort(useEnvironment())} />
      <div className={guide.stack}>
        <CopyField
          key={addresses.rtspPublishUrl}
          label={t('rtsp.publish')}
          value={addresses.rtspPublishUrl}
          secret={secret !== ''}
          hint={t(secret === '' ? 'guide.keyHintOpen' : 'guide.addressHint')}
        />
        <CopyField label={t('rtsp.play')} value={addresses.rtspPlayUrl} hint={t('rtsp.playHint')} />
        <NewNameButton />
        <MaskedCode name={t('ffmpeg.file')} code={lines.ffmpegRtsp} />
        <div>
          <div className={guide.codeName}>{t('rtsp.ffplay')}</div>
          <CodeBlock name={t('rtsp.ffplay')} code={lines.ffplayRtsp} />
        </div>
      </div>
      <PlayLinks />
    </div>
  );
}
