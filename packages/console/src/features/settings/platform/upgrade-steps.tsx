// What an upgrade is here: a few commands on the server, which can ask this window first.
import type { endpoints, ResponseOf } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { formatTimestamp } from '../../../shared/format-time.ts';
import { CodeBlock } from '../../../ui/code-block.tsx';
import classes from './platform.module.css';

export function UpgradeSteps({ window }: { window: ResponseOf<typeof endpoints.queryUpgradeWindow> }) {
  const { t } = useTranslation('platform');
  const when = { opensAt: formatTimestamp(window.opensAt), closesAt: formatTimestamp(window.closesAt) };
  const commands = [
    'npm run may-upgrade && git pull && npm ci',
    `# ${t('window.restart')}`,
    'systemctl restart srs-stack',
  ];
  return (
    <div className={classes.status}>
      <p>{t(window.isOpen ? 'window.isOpen' : 'window.opensAt', when)}</p>
      <p>{t('window.interrupts', { count: window.liveStreams })}</p>
      <p>{t('window.how')}</p>
      <CodeBlock code={commands.join('\n')} name={t('window.commands')} />
    </div>
  );
}
