// All stylesheets in order. Mantine's stylesheets are in a cascade layer, so the console's rules override them.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './tokens.css';
import './global.css';
