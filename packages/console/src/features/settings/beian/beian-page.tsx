// ?tab=beian: the page title and the ICP filing number in the footer.
import { Skeleton, Stack } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { productName } from '@srs-stack/contract/constants.ts';
import { IconBrowser, IconCertificate2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { BeianForm } from './beian-form.tsx';

const signs = {
  title: <IconBrowser size={20} aria-hidden />,
  icp: <IconCertificate2 size={20} aria-hidden />,
} as const;
const defaults = { title: productName, icp: '' } as const;

export default function BeianPage() {
  const { t } = useTranslation('beian');
  const beian = useQuery(apiQuery(calls.queryBeian, {}));
  return (
    <Stack gap="lg">
      {(['title', 'icp'] as const).map((field) => (
        <Panel key={field} title={t(`${field}.title`)} description={t(`${field}.text`)} icon={signs[field]}>
          {beian.data ? (
            <BeianForm
              field={field}
              current={beian.data[field] ?? ''}
              placeholder={defaults[field] || t('icp.example')}
            />
          ) : (
            <QueryPlaceholder query={beian} skeleton={<Skeleton height={174} />} />
          )}
        </Panel>
      ))}
    </Stack>
  );
}
