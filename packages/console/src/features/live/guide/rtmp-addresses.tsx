// RTMP server address and stream key as encoders expect them, and a button that changes the stream name.
// The address with TLS is shown if the server supports it.
import { useTranslation } from 'react-i18next';
import guide from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { NewNameButton } from '../../../shared/publish-guide/new-name-button.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';

export function RtmpAddresses() {
  const { t } = useTranslation('live');
  const { addresses, secret } = useGuide();
  return (
    <div className={guide.stack}>
      <CopyField label={t('guide.server')} value={addresses.rtmpServer} />
      {addresses.rtmpsServer !== '' && (
        <CopyField label={t('guide.tlsServer')} value={addresses.rtmpsServer} hint={t('guide.tlsHint')} />
      )}
      <CopyField
        key={addresses.rtmpStreamKey}
        label={t('guide.streamKey')}
        value={addresses.rtmpStreamKey}
        secret={secret !== ''}
        hint={t(secret === '' ? 'guide.keyHintOpen' : 'guide.keyHint')}
      />
      <NewNameButton />
    </div>
  );
}
