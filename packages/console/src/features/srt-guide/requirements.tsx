import { IconActivity, IconCpu, IconPlugConnected, IconRouteAltLeft } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { srtFirewallPort } from '../../shared/publish-guide/firewall-ports.ts';
import { useGuide } from '../../shared/publish-guide/guide-context.ts';
import { srtLatency } from '../../shared/publish-guide/measured-values.ts';
import classes from './srt-guide.module.css';

const items = [
  { key: 'rtt', Icon: IconRouteAltLeft },
  { key: 'loss', Icon: IconActivity },
  { key: 'cpu', Icon: IconCpu },
  { key: 'port', Icon: IconPlugConnected },
] as const;

export function Requirements() {
  const { t } = useTranslation('srt-guide');
  const port = srtFirewallPort(useGuide().addresses);
  return (
    <>
      <dl className={classes.requirements}>
        {items.map(({ key, Icon }) => (
          <div key={key}>
            <dt>
              <Icon size={18} aria-hidden /> {t(`need.${key}.name`)}
            </dt>
            <dd>{t(`need.${key}.value`, { port })}</dd>
            <dd className={classes.why}>{t(`need.${key}.why`)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.measured}>{t('measured', { ...srtLatency })}</p>
    </>
  );
}
