// Request body and response of one callback, side by side if the page is wide enough.
import type { HookDelivery } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../ui/code-block.tsx';
import classes from './callback.module.css';

export function DeliveryDetail({ delivery }: { delivery: HookDelivery }) {
  const { t } = useTranslation('hooks');
  return (
    <div className={classes.detail}>
      <LabelledText name={t('log.request')} text={indented(delivery.request)} />
      <LabelledText
        name={responseName(t('log.response'), delivery.status)}
        text={delivery.response ? indented(delivery.response) : t('log.noAnswer')}
      />
    </div>
  );
}

export function LabelledText({ name, text }: { name: string; text: string }) {
  return (
    <div className={classes.labelled}>
      <div className={classes.quiet}>{name}</div>
      <CodeBlock code={text} name={name} />
    </div>
  );
}

function responseName(name: string, status: number | undefined): string {
  return status === undefined ? name : `${name} · HTTP ${status}`;
}

/** Indents JSON. Any other text stays unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
