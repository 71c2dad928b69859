// The icons of the navigation links; the labels are in the common texts.
import {
  IconBroadcast,
  IconChartLine,
  IconLogin2,
  IconLogout,
  IconMessages,
  IconSettings,
  IconStack2,
  IconUsersGroup,
} from '@tabler/icons-react';
import type { Screen } from '../../navigation/paths.ts';

export const navigationIcons = {
  setup: IconSettings,
  login: IconLogin2,
  logout: IconLogout,
  scenario: IconBroadcast,
  settings: IconSettings,
  components: IconStack2,
  dashboard: IconChartLine,
  contact: IconMessages,
  streams: IconBroadcast,
  rooms: IconUsersGroup,
} as const satisfies Record<Screen, unknown>;
