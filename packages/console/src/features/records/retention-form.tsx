// How long and how much is kept: two optional limits, and what was removed for them.
import { Button, Group, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { leastKeptBytes, maxKeptBytes, maxKeptDays, type RetentionRemoval } from '@srs-stack/contract';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { formatBytes } from '../../shared/format-bytes.ts';
import { formatTimestamp } from '../../shared/format-time.ts';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { useRecordRetention, useSaveRetention } from './queries.ts';
import classes from './record.module.css';

const bytesPerGigabyte = 1024 ** 3;

export function Retention() {
  const retention = useRecordRetention();
  if (retention.data) {
    const { keepDays, maxBytes, removals } = retention.data;
    return (
      <Stack gap="md">
        <RetentionForm key={`${keepDays} ${maxBytes}`} keepDays={keepDays} maxBytes={maxBytes} />
        {removals.length > 0 && <Removals removals={removals} />}
      </Stack>
    );
  }
  if (retention.isError) return <InlineFailure error={retention.error} />;
  return <Skeleton height="9rem" radius="md" />;
}

function RetentionForm({ keepDays, maxBytes }: { keepDays: number; maxBytes: number }) {
  const { t } = useTranslation('records');
  const save = useSaveRetention();
  const [days, setDays] = useState<number | string>(keepDays || '');
  const [gigabytes, setGigabytes] = useState<number | string>(maxBytes ? maxBytes / bytesPerGigabyte : '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ keepDays: Number(days) || 0, maxBytes: Math.round((Number(gigabytes) || 0) * bytesPerGigabyte) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <div>
          <Text fw={650}>{t('retention.title')}</Text>
          <Text size="sm" c="dimmed">
            {t('retention.text')}
          </Text>
        </div>
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('retention.days')}
            placeholder={t('retention.unlimited')}
            value={days}
            onChange={setDays}
            min={0}
            max={maxKeptDays}
            allowDecimal={false}
            allowNegative={false}
            w="10rem"
          />
          <NumberInput
            label={t('retention.size')}
            placeholder={t('retention.unlimited')}
            value={gigabytes}
            onChange={setGigabytes}
            min={Number(gigabytes) === 0 ? 0 : Math.ceil((leastKeptBytes / bytesPerGigabyte) * 10) / 10}
            max={maxKeptBytes / bytesPerGigabyte}
            decimalScale={1}
            allowNegative={false}
            w="10rem"
          />
        </Group>
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          >
            {t('retention.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Removals({ removals }: { removals: readonly RetentionRemoval[] }) {
  const { t } = useTranslation('records');
  const locale = useLocale();
  return (
    <details>
      <summary>{t('retention.removed', { count: removals.length })}</summary>
      <ul className={classes.binRows}>
        {removals.map(({ uuid, at, app, stream, size, reason }) => (
          <li key={uuid}>
            <span className={classes.binName}>
              {app}/{stream}
              <small>
                {formatTimestamp(at)} · {t(`retention.reason.${reason}`)} · {formatBytes(size, locale)}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
