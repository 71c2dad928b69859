// The start message agrees with the actual listeners of this machine.
import { describe, expect, test } from 'vitest';
import { freePort } from './support/free-port.ts';
import { type Environment, type Product, startProduct } from './support/product.ts';

async function bannerOf(environment: Environment): Promise<{ banner: string; ports: Product['ports'] }> {
  const product = await startProduct(environment);
  try {
    return { banner: product.output(), ports: product.ports };
  } finally {
    await product.remove();
  }
}

test('bound to one address, the product starts and prints only that address', async () => {
  // Linux has more than one loopback address.
  const host = '127.0.0.2';
  const { banner, ports } = await bannerOf({
    MGMT_LISTEN: `${host}:0`,
    HTTPS_LISTEN: `${host}:0`,
    RTMP_LISTEN: `${host}:0`,
  });
  expect(banner).toContain(`http://${host}:${ports.http}/mgmt`);
  expect(banner).toContain(`https://${host}:${ports.https}/mgmt`);
  expect(banner).toContain(`${host}:${ports.rtmp}/tcp`);
  expect(banner.match(/\bhttps?:\/\/\S+\/mgmt/g)).toHaveLength(2);
});

describe('MEDIA_SERVER=srs', () => {
  test('an unavailable SRS is reported with its configured address', async () => {
    const api = `127.0.0.1:${await freePort()}`;
    const { banner } = await bannerOf({ MEDIA_SERVER: 'srs', SRS_API_SERVER: api });
    expect(banner).toContain(`The external media server (SRS) does not respond at ${api}`);
  });
});
