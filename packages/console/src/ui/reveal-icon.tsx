// The icon of the button that shows or hides a secret, the same in fields and beside values.
import { IconEye, IconEyeOff } from '@tabler/icons-react';

/** @param reveal whether the secret is shown now. */
export function RevealIcon({ reveal }: { reveal: boolean }) {
  const Sign = reveal ? IconEyeOff : IconEye;
  return <Sign size={18} aria-hidden />;
}
