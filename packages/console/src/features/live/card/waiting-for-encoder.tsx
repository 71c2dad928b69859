// Shown while the stream has no publisher: advice, the reason of the last refusal, and other live streams.
import { Button, Group, Text } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { IconAntenna, IconBroadcast } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './live-card.module.css';
import type { RefusalNote } from './live-card-state.ts';
import { RefusalAlert } from './refusal-alert.tsx';

export interface WaitingForEncoderProps {
  streamName: string;
  refusal: RefusalNote | undefined;
  others: readonly LiveStream[];
  onChoose: (name: string) => void;
}

/** Maximum number of other live streams on the card. More would hide the advice. */
const maxOthers = 4;

export function WaitingForEncoder({ streamName, refusal, others, onChoose }: WaitingForEncoderProps) {
  const { t } = useTranslation('live');
  return (
    <>
      <div className={classes.waiting}>
        <span className={classes.antenna}>
          <IconAntenna size={30} stroke={1.6} aria-hidden />
        </span>
        <Text fw={650} size="lg" component="h3">
          {t('waiting.title')}
        </Text>
        <Text c="dimmed" size="sm">
          {t('waiting.advice', { name: streamName })}
        </Text>
      </div>
      {refusal && <RefusalAlert note={refusal} />}
      {others.length > 0 && (
        <div>
          <Text size="sm" c="dimmed" mb={6}>
            {t('waiting.others')}
          </Text>
          <Group gap="xs">
            {others.slice(0, maxOthers).map(({ id, stream }) => (
              <Button
                key={id}
                size="xs"
                variant="default"
                classNames={{ root: classes.other!, label: classes.otherName! }}
                title={stream}
                leftSection={<IconBroadcast size={15} aria-hidden />}
                onClick={() => onChoose(stream)}
              >
                {stream}
              </Button>
            ))}
          </Group>
        </div>
      )}
    </>
  );
}
