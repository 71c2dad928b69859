// The SRT address split into the separate fields of vMix and hardware encoders.
import { srtPlayLatencyMs } from '@srs-stack/contract/constants.ts';
import { useTranslation } from 'react-i18next';
import guide from '../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../shared/publish-guide/guide-context.ts';
import { NewNameButton } from '../../shared/publish-guide/new-name-button.tsx';
import { srtParts } from '../../shared/publish-guide/srt-parts.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import classes from './srt-guide.module.css';

export function SrtFields() {
  const { t } = useTranslation(['srt-guide', 'live']);
  const { addresses, secret } = useGuide();
  const { host, port, publishStreamId } = srtParts(addresses);
  return (
    <div className={guide.stack}>
      <div className={classes.fields}>
        <CopyField label={t('field.host')} value={host} />
        <CopyField label={t('field.port')} value={port} />
        <CopyField label={t('field.latency')} value={String(srtPlayLatencyMs)} hint={t('field.latencyHint')} />
      </div>
      <CopyField
        key={publishStreamId}
        label={t('field.streamId')}
        value={publishStreamId}
        secret={secret !== ''}
        hint={t(secret === '' ? 'live:guide.keyHintOpen' : 'field.streamIdHint')}
      />
      <NewNameButton />
    </div>
  );
}
