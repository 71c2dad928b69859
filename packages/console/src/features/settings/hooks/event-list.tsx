// The events, and when each is sent.
import { hookActions } from '@srs-stack/contract/values/hooks.ts';
import { useTranslation } from 'react-i18next';
import classes from './callback.module.css';

/** Events that the server sends. The contract also has an event for text recognition, which is not implemented. */
const sentActions = hookActions.filter((action) => action !== 'on_ocr');

export function EventList() {
  const { t } = useTranslation('hooks');
  return (
    <div className={classes.events}>
      <div className={classes.eventsTitle}>{t('events.title')}</div>
      <dl>
        {sentActions.map((action) => (
          <div key={action} className={classes.event}>
            <dt>
              <code>{action}</code>
            </dt>
            <dd>{t(`events.${action}`)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
