// Every stylesheet of the console, in order. Mantine's are in a cascade layer, so ours always win.
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './tokens.css';
import './global.css';
