// What an upgrade is here: a few commands on the server, which can ask this window first.
import type { endpoints, ResponseOf } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../shared/format-time.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import classes from './platform.module.css';

const commands =
  'npm run may-upgrade && git pull && npm ci\n# then restart the service, for example\nsystemctl restart srs-stack';

export function UpgradeSteps({ window }: { window: ResponseOf<typeof endpoints.queryUpgradeWindow> }) {
  const { t } = useTranslation('settings-platform');
  const when = { opensAt: formatTimestamp(window.opensAt), closesAt: formatTimestamp(window.closesAt) };
  return (
    <div className={classes.status}>
      <p>
        {t(window.isOpen ? 'window.isOpen' : 'window.opensAt', when)}{' '}
        {t('window.interrupts', { count: window.liveStreams })}
      </p>
      <p>{t('window.how')}</p>
      <CodeBlock code={commands} name={t('window.commands')} />
    </div>
  );
}
