// Uploads the operator's own certificate: key and chain as text, typed, pasted or read from a file.
import { Alert, Button, FileButton, Group, Textarea } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxPemLength } from '@srs-stack/contract/limits.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { useUnsavedChanges } from '../../../shared/unsaved-changes.ts';
import { monoInput } from '../../../ui/mono-input.ts';
import { showToast } from '../../../ui/toast.ts';
import classes from './https.module.css';
import { CallProblem } from './problem-alert.tsx';
import { useUploadCertificate } from './queries.ts';

const empty = { key: '', crt: '' };

/** @param inUse fingerprint of the displayed certificate; '' without a certificate, undefined while it is unknown. */
export function UploadForm({ inUse }: { inUse: string | undefined }) {
  const { t } = useTranslation('certificates');
  const [pair, setPair] = useState(empty);
  const [isIncomplete, setIsIncomplete] = useState(false);
  // Fingerprint when the operator started typing. The upload contains it, so the server detects a replacement by another operator.
  const [seen, setSeen] = useState<string>();
  const upload = useUploadCertificate(() => {
    setPair(empty);
    setSeen(undefined);
    void showToast({ message: t('upload.saved') });
  });
  useUnsavedChanges(pair.key !== '' || pair.crt !== '');
  const change = (part: Partial<typeof empty>) => {
    setPair((before) => ({ ...before, ...part }));
    if (pair.key === '' && pair.crt === '') setSeen(inUse);
    setIsIncomplete(false);
    upload.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (pair.key.trim() === '' || pair.crt.trim() === '') setIsIncomplete(true);
    else upload.mutate({ ...pair, replaces: seen });
  };
  return (
    <form onSubmit={onSubmit} className={classes.form}>
      {(['key', 'crt'] as const).map((field) => (
        <PemField key={field} field={field} value={pair[field]} onChange={(text) => change({ [field]: text })} />
      ))}
      {isIncomplete && (
        <Alert role="alert" color="amber" mt="md">
          {t('upload.incomplete')}
        </Alert>
      )}
      <CallProblem error={upload.error} />
      <Button type="submit" mt="md" loading={upload.isPending}>
        {t('upload.save')}
      </Button>
      <EquivalentCall
        endpoint={calls.updateCertificate}
        request={{ key: '-----BEGIN PRIVATE KEY-----…', crt: '-----BEGIN CERTIFICATE-----…' }}
      />
    </form>
  );
}

interface PemFieldProps {
  field: 'key' | 'crt';
  value: string;
  onChange: (text: string) => void;
}

function PemField({ field, value, onChange }: PemFieldProps) {
  const { t } = useTranslation('certificates');
  return (
    <div style={{ marginBottom: '1rem' }}>
      <Textarea
        label={t(`upload.${field}.label`)}
        description={t(`upload.${field}.hint`)}
        placeholder={field === 'key' ? '-----BEGIN PRIVATE KEY-----' : '-----BEGIN CERTIFICATE-----'}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        rows={6}
        maxLength={maxPemLength}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      <Group mt="xs">
        <FileButton
          accept=".pem,.key,.crt,.cer,text/plain"
          onChange={(file) => void file?.slice(0, maxPemLength).text().then(onChange)}
        >
          {(props) => (
            <Button {...props} variant="default" size="xs">
              {t('upload.file')}
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}
