// The four accordion items of DVR or VoD: introduction, cloud secret, rules, tasks.
import type { ResponseOf } from '@srs-stack/contract';
import type { calls } from '@srs-stack/contract/calls.ts';
import { IconHistory, IconInfoCircle, IconKey, IconPlayerRecord } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Section, Sections } from '../../ui/sections.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CloudIntroduction } from './cloud-introduction.tsx';
import { CloudRules } from './cloud-rules.tsx';
import { CloudSecret } from './cloud-secret.tsx';
import { CloudTasks } from './cloud-tasks.tsx';
import type { CloudKind } from './queries.ts';

const sign = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

export interface CloudSectionsProps {
  kind: CloudKind;
  dvr: ResponseOf<typeof calls.queryDvr>;
  vod: ResponseOf<typeof calls.queryVod>;
}

export function CloudSections({ kind, dvr, vod }: CloudSectionsProps) {
  const { t } = useTranslation('cloud-recording');
  const [own, other] = kind === 'dvr' ? [dvr, vod] : [vod, dvr];
  const isReady = kind === 'dvr' ? dvr.secret : vod.secret && vod.service && vod.storage;
  const open = own.all ? '3' : isReady ? '2' : '1';
  return (
    <Sections defaultOpen={open}>
      <Section value="0" title={t('introduction.title')} icon={<IconInfoCircle {...sign} />}>
        <CloudIntroduction kind={kind} />
      </Section>
      <Section
        value="1"
        title={t('account.title')}
        summary={t('account.summary')}
        icon={<IconKey {...sign} />}
        badge={
          <StatusBadge state={own.secret ? 'good' : 'stopped'}>
            {t(own.secret ? 'account.ready' : 'account.missing')}
          </StatusBadge>
        }
      >
        <CloudSecret kind={kind} isSet={own.secret} isVodReady={vod.service && vod.storage} />
      </Section>
      <Section
        value="2"
        title={t('rules.title')}
        summary={t('rules.summary')}
        icon={<IconPlayerRecord {...sign} />}
        badge={<StatusBadge state={own.all ? 'live' : 'idle'}>{t(own.all ? 'rules.on' : 'rules.off')}</StatusBadge>}
      >
        <CloudRules key={String(own.all)} kind={kind} isOn={own.all} isOtherOn={other.all} isReady={isReady} />
      </Section>
      <Section value="3" title={t('tasks.title')} summary={t('tasks.summary')} icon={<IconHistory {...sign} />}>
        <CloudTasks kind={kind} isOn={own.all} />
      </Section>
    </Sections>
  );
}
