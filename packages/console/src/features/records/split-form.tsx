// Maximum duration and size of one file of a recording, both optional.
import { Button, Group, NumberInput, Skeleton, Stack, Text } from '@mantine/core';
import { leastSplitBytes, maxKeptBytes, maxSplitSeconds } from '@srs-stack/contract/limits.ts';
import { IconDeviceFloppy } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import { useRecordSplit, useSaveSplit } from './queries.ts';

const bytesPerGigabyte = 1024 ** 3;
const leastGigabytes = Math.ceil((leastSplitBytes / bytesPerGigabyte) * 100) / 100;
const maxGigabytes = maxKeptBytes / bytesPerGigabyte;
const maxMinutes = maxSplitSeconds / 60;

/** 0 (an empty field) means no limit. */
const isUsableTime = (minutes: number) => minutes === 0 || (minutes >= 1 && minutes <= maxMinutes);
const isUsableSize = (size: number) => size === 0 || (size >= leastGigabytes && size <= maxGigabytes);

export function Split() {
  const split = useRecordSplit();
  if (split.data) {
    const { maxSeconds, maxBytes } = split.data;
    return <SplitForm key={`${maxSeconds} ${maxBytes}`} maxSeconds={maxSeconds} maxBytes={maxBytes} />;
  }
  if (split.isError) return <InlineFailure error={split.error} />;
  return <Skeleton height="9rem" radius="md" />;
}

function SplitForm({ maxSeconds, maxBytes }: { maxSeconds: number; maxBytes: number }) {
  const { t } = useTranslation('records');
  const save = useSaveSplit();
  const [minutes, setMinutes] = useState<number | string>(maxSeconds ? maxSeconds / 60 : '');
  const [gigabytes, setGigabytes] = useState<number | string>(maxBytes ? maxBytes / bytesPerGigabyte : '');
  const [isRefused, setIsRefused] = useState(false);
  const isRight = { time: isUsableTime(Number(minutes)), size: isUsableSize(Number(gigabytes)) };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isAllRight = isRight.time && isRight.size;
    setIsRefused(!isAllRight);
    if (!isAllRight) return;
    const bytes = Math.round((Number(gigabytes) || 0) * bytesPerGigabyte);
    save.mutate({ maxSeconds: Math.round((Number(minutes) || 0) * 60), maxBytes: bytes });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <div>
          <Text fw={650}>{t('split.title')}</Text>
          <Text size="sm" c="dimmed">
            {t('split.text')}
          </Text>
        </div>
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('split.minutes')}
            placeholder={t('retention.unlimited')}
            value={minutes}
            onChange={setMinutes}
            clampBehavior="none"
            error={isRefused && !isRight.time && t('split.minutesInvalid', { max: maxMinutes })}
            w="12rem"
          />
          <NumberInput
            label={t('split.size')}
            placeholder={t('retention.unlimited')}
            value={gigabytes}
            onChange={setGigabytes}
            decimalScale={2}
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
            {t('split.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
