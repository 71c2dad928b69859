// The last body sent and the last good answer.
import { useTranslation } from 'react-i18next';
import classes from './callback.module.css';
import { indented, LabelledText } from './delivery-detail.tsx';

export function LastExchange({ req, res }: { req: string; res: string }) {
  const { t } = useTranslation('hooks');
  if (req === '') return null;
  return (
    <div className={classes.detail} style={{ marginBottom: '1.25rem' }}>
      <LabelledText name={t('last.request')} text={indented(req)} />
      <LabelledText name={t('last.response')} text={res === '' ? t('last.none') : indented(res)} />
    </div>
  );
}
