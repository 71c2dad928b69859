// Server field for encoders that need the complete address and no key (SRT and WHIP).
import { useTranslation } from 'react-i18next';
import guide from '../../../shared/publish-guide/guide.module.css';
import { useGuide } from '../../../shared/publish-guide/guide-context.ts';
import { NewNameButton } from '../../../shared/publish-guide/new-name-button.tsx';
import { CopyField } from '../../../ui/copy-field.tsx';

export interface WholeAddressProps {
  url: string;
  /** Name of the encoder field that stays empty. */
  emptyField: string;
}

export function WholeAddress({ url, emptyField }: WholeAddressProps) {
  const { t } = useTranslation('live');
  const { secret } = useGuide();
  return (
    <div className={guide.stack}>
      <CopyField
        key={url}
        label={t('guide.server')}
        value={url}
        secret={secret !== ''}
        hint={t(secret === '' ? 'guide.keyHintOpen' : 'guide.addressHint')}
      />
      <div>
        <div className={guide.codeName}>{emptyField}</div>
        <p className={guide.emptyField}>{t('guide.leaveEmpty')}</p>
      </div>
      <NewNameButton />
    </div>
  );
}
