// A switch of the server as two cards that explain both options. A selection is saved immediately.
import { Badge, Loader, Radio, SimpleGrid, Skeleton, VisuallyHidden } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { QueryPlaceholder, type QueryPlaceholderProps } from '../../../shared/query-placeholder.tsx';
import classes from './switch-choice.module.css';

interface Way {
  name: string;
  text: string;
}

export interface SwitchChoiceProps {
  label: string;
  query: QueryPlaceholderProps['query'];
  /** Undefined until the server has responded. */
  isOn: boolean | undefined;
  off: Way;
  on: Way;
  /** The value that is being saved. */
  savingTo: boolean | undefined;
  onChoose: (on: boolean) => void;
}

export function SwitchChoice({ label, query, isOn, off, on, savingTo, onChoose }: SwitchChoiceProps) {
  if (isOn === undefined) return <QueryPlaceholder query={query} skeleton={<Skeleton h={{ base: 236, sm: 102 }} />} />;
  return (
    <Radio.Group
      label={<VisuallyHidden>{label}</VisuallyHidden>}
      styles={{ label: { position: 'absolute' } }}
      value={String(savingTo ?? isOn)}
      onChange={(value) => savingTo === undefined && value !== String(isOn) && onChoose(value === 'true')}
    >
      <SimpleGrid type="container" cols={{ base: 1, '34rem': 2 }} spacing="sm">
        {[off, on].map((way, index) => {
          const value = index === 1;
          return (
            <WayCard key={way.name} way={way} value={value} isCurrent={isOn === value} isSaving={savingTo === value} />
          );
        })}
      </SimpleGrid>
    </Radio.Group>
  );
}

function WayCard({ way, value, isCurrent, isSaving }: WayCardProps) {
  const { t } = useTranslation('hls-settings');
  return (
    <Radio.Card value={String(value)} className={classes.card!} aria-label={way.name}>
      <Radio.Indicator />
      <span className={classes.text}>
        <span className={classes.name}>
          {way.name}
          {isSaving ? (
            <Loader size={14} />
          ) : (
            isCurrent && (
              <Badge size="sm" variant="outline">
                {t('current')}
              </Badge>
            )
          )}
        </span>
        <span className={classes.detail}>{way.text}</span>
      </span>
    </Radio.Card>
  );
}

interface WayCardProps {
  way: Way;
  value: boolean;
  isCurrent: boolean;
  isSaving: boolean;
}
