// ?tab=https: the certificate in use, and three ways to replace it: Let's Encrypt, upload, self-signed.
import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { IconCertificate, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder } from '../../../shared/query-placeholder.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { CertificatePanel } from './certificate-panel.tsx';
import { LetsEncryptForm } from './lets-encrypt-form.tsx';
import { useCertificate } from './queries.ts';
import { SelfSignedForm } from './self-signed-form.tsx';
import { UploadForm } from './upload-form.tsx';

const ways = ['lets', 'ssl', 'self'] as const;
type Way = (typeof ways)[number];

export default function HttpsPage() {
  const { t } = useTranslation('certificates');
  const state = useCertificate();
  const [chosen, setChosen] = useState<Way>();
  const inUse: Way = state.data?.provider === 'ssl' && !state.data.certificate?.selfSigned ? 'ssl' : 'lets';
  const way = chosen ?? inUse;
  const inUseNow = state.data && (state.data.certificate?.fingerprint ?? '');
  return (
    <Stack gap="lg">
      <Panel title={t('current.title')} description={t('current.text')} icon={<IconLock size={20} aria-hidden />}>
        {state.data ? (
          <CertificatePanel state={state.data} />
        ) : (
          <QueryPlaceholder query={state} skeleton={<Skeleton h={{ base: 304, sm: 157 }} />} />
        )}
      </Panel>
      <Panel title={t('change.title')} description={t('change.text')} icon={<IconCertificate size={20} aria-hidden />}>
        <SegmentedControl
          aria-label={t('change.title')}
          value={way}
          onChange={(value) => setChosen(value as Way)}
          data={ways.map((value) => ({ value, label: t(`way.${value}`) }))}
          mb="lg"
          style={{ maxWidth: '100%' }}
        />
        {way === 'lets' && <LetsEncryptForm state={state.data} />}
        {way === 'ssl' && <UploadForm inUse={inUseNow} />}
        {way === 'self' && <SelfSignedForm inUse={inUseNow} />}
      </Panel>
    </Stack>
  );
}
