// Retention of recordings: two optional limits, and the recordings that the limits removed.
import { Button, Group, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import type { RetentionRemoval } from '@srs-stack/contract';
import { leastKeptBytes, maxKeptBytes, maxKeptDays } from '@srs-stack/contract/limits.ts';
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
const leastGigabytes = Math.ceil((leastKeptBytes / bytesPerGigabyte) * 10) / 10;
const maxGigabytes = maxKeptBytes / bytesPerGigabyte;

/** 0 (an empty field) means no limit. */
const isUsableDays = (days: number) => Number.isInteger(days) && days >= 0 && days <= maxKeptDays;
const isUsableSize = (size: number) => size === 0 || (size >= leastGigabytes && size <= maxGigabytes);

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
  const [isRefused, setIsRefused] = useState(false);
  const isRight = { days: isUsableDays(Number(days)), size: isUsableSize(Number(gigabytes)) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(!(isRight.days && isRight.size));
    if (!(isRight.days && isRight.size)) return;
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
            clampBehavior="none"
            error={isRefused && !isRight.days && t('retention.daysInvalid', { max: maxKeptDays })}
            w="12rem"
          />
          <NumberInput
            label={t('retention.size')}
            placeholder={t('retention.unlimited')}
            value={gigabytes}
            onChange={setGigabytes}
            decimalScale={1}
            clampBehavior="none"
            error={isRefused && !isRight.size && t('retention.sizeInvalid', { min: leastGigabytes, max: maxGigabytes })}
            w="12rem"
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
