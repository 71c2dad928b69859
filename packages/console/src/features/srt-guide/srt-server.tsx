// The complete SRT address in one field, as OBS requires.
import { useTranslation } from 'react-i18next';
import guide from '../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../shared/publish-guide/guide-context.ts';
import { NewNameButton } from '../../shared/publish-guide/new-name-button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';

export function SrtServer() {
  const { t } = useTranslation(['srt-guide', 'live']);
  const { addresses, secret } = useGuide();
  return (
    <div className={guide.stack}>
      <CopyField
        key={addresses.srtPublishUrl}
        label={t('live:guide.server')}
        value={addresses.srtPublishUrl}
        secret={secret !== ''}
        hint={t(secret === '' ? 'live:guide.keyHintOpen' : 'live:guide.addressHint')}
      />
      <NewNameButton />
    </div>
  );
}
