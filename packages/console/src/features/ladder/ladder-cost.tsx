// Total cost of all renditions, compared with the capacity of the machine, and a recommendation.
import { Button, Skeleton } from '@mantine/core';
import type { LadderCosts } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import classes from './ladder.module.css';
import { stepsOf } from './ladder-form.ts';
import type { LadderFormProps } from './ladder-steps.tsx';

/** Share of all processors up to which enough capacity remains for other work. */
const comfortableShare = 0.75;

interface LadderCostProps extends LadderFormProps {
  costs: LadderCosts | undefined;
  error: Error | null;
}

export function LadderCost({ fields, set, costs, error }: LadderCostProps) {
  const { t, i18n } = useTranslation('ladder');
  if (error && !costs) return <InlineFailure error={error} />;
  if (!costs) return <Skeleton h={148} radius="md" />;
  const heights = stepsOf(fields.steps).map(({ height }) => height);
  const known = costs.steps.filter(({ height }) => heights.includes(height));
  const total = known.reduce((sum, { cores }) => sum + cores, costs.decodeCores);
  const share = total / costs.cores;
  const level = share > 1 ? 'over' : share > comfortableShare ? 'tight' : 'fits';
  const number = (value: number) => value.toLocaleString(i18n.language, { maximumFractionDigits: 2 });
  return (
    <div className={classes.cost} data-level={level}>
      <p className={classes.costLine}>
        <strong>{t('cost.total', { cores: number(total), of: costs.cores })}</strong>
        <span>{costs.isMeasuring ? t('cost.measuringText') : t(`cost.${level}`)}</span>
      </p>
      <div className={classes.meter} aria-hidden>
        <span style={{ inlineSize: `${Math.min(100, 100 * share)}%` }} />
      </div>
      <p className={classes.note}>{t('cost.how')}</p>
      <Proposal fields={fields} set={set} proposal={costs.proposal} />
    </div>
  );
}

function Proposal({ fields, set, proposal }: LadderFormProps & Pick<LadderCosts, 'proposal'>) {
  const { t } = useTranslation('ladder');
  if (!proposal) return null;
  const { encoder, speed, heights } = proposal;
  const isTaken =
    fields.encoder === encoder &&
    fields.speed === speed &&
    fields.steps.every(({ height, isOn }) => isOn === heights.includes(height));
  const what = heights.map((height) => `${height}p`).join(', ');
  const take = () => {
    const steps = fields.steps.map((step) => ({ ...step, isOn: heights.includes(step.height) }));
    set({ encoder, speed, steps, keepsSource: true });
  };
  return (
    <div className={classes.proposal}>
      <span>{t('proposal.text', { what, encoder, speed })}</span>
      {isTaken ? (
        <em>{t('proposal.taken')}</em>
      ) : (
        <Button size="compact-sm" variant="light" onClick={take}>
          {t('proposal.take')}
        </Button>
      )}
    </div>
  );
}
