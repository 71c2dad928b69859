// The newest delivery: the request body, and the response of a delivery with HTTP status 200. A refusal is marked.
import { useTranslation } from 'react-i18next';
import classes from './callback.module.css';
import { indented, LabelledText } from './delivery-detail.tsx';

export function LastExchange({ req, res }: { req: string; res: string }) {
  const { t } = useTranslation('hooks');
  if (req === '') return null;
  return (
    <div className={classes.detail} style={{ marginBottom: '1.25rem' }}>
      <LabelledText name={t('last.request')} text={indented(req)} />
      <LabelledText
        name={t(isRefusal(res) ? 'last.refusal' : 'last.response')}
        text={res === '' ? t('last.none') : indented(res)}
      />
    </div>
  );
}

/** Whether the response, or `code` in a JSON response, is a number other than 0. */
function isRefusal(res: string): boolean {
  try {
    const response: unknown = JSON.parse(res);
    const code = typeof response === 'object' && response !== null && 'code' in response ? response.code : response;
    return typeof code === 'number' && code !== 0;
  } catch {
    return false;
  }
}
