import { expect } from 'chai';
import { ConfigError, readConfig } from '../../config/config.ts';

const minimal = { DATABASE_URL: 'postgres://sonde@localhost/sonde' };

describe('readConfig', () => {
  it('has a default for every setting', () => {
    const config = readConfig(minimal);
    expect(config.web).to.deep.include({
      host: null,
      port: 3000,
      baseUrl: 'http://localhost:3000',
      trustProxy: 0,
    });
    expect(config.web.rateLimitPerMinute).to.equal(600);
    expect(config.database).to.deep.include({
      poolMax: 10,
      backend: 'postgres',
      directUrl: minimal.DATABASE_URL,
    });
    expect(config.checks).to.deep.include({ timeoutMs: 15_000, concurrency: 100, hostConcurrency: 8 });
    expect(config.checks.canaryUrl).to.equal(null);
    expect(config.checks.userAgent).to.match(/^SondeBot\/\d+\.\d+\.\d+ \(\+http:\/\/localhost:3000\/bot\)$/);
    expect(config.retention).to.deep.equal({ days: 90, historyDays: 1100 });
    expect(config.signUp).to.deep.equal({ isOpen: false, credits: 0 });
  });

  it('trusts one proxy on a host that sets DYNO', () => {
    expect(readConfig({ ...minimal, DYNO: 'web.1' }).web.trustProxy).to.equal(1);
    expect(readConfig({ ...minimal, DYNO: 'web.1', TRUST_PROXY: '0' }).web.trustProxy).to.equal(0);
  });

  it('reads lists with white space and empty entries', () => {
    const { checks } = readConfig({
      ...minimal,
      TARGET_ALLOW_CIDRS: ' 127.0.0.0/8, ::1/128,',
      DNS_SERVERS: '[::1]:53',
    });
    expect(checks.allowCidrs).to.deep.equal(['127.0.0.0/8', '::1/128']);
    expect(checks.dnsServers).to.deep.equal(['[::1]:53']);
  });

  const wrong: Array<[variable: string, value: string, says: RegExp]> = [
    ['DATABASE_URL', '', /^DATABASE_URL is not set\. Example: DATABASE_URL=postgres:/],
    ['DATABASE_URL', 'mysql://root:secret@host/x', /^DATABASE_URL is not a Postgres URL\. Example:/],
    ['DATABASE_URL', 'postgres://user:topsecret@host:port/db', /^DATABASE_URL is not a Postgres URL\. Ex/],
    ['DATABASE_BACKEND', 'oracle', /^DATABASE_BACKEND must be one of postgres, citus/],
    ['DATABASE_POOL_MAX', '2', /^DATABASE_POOL_MAX must be a whole number from 5 to 1000, not "2"/],
    ['RATE_LIMIT_PER_MINUTE', 'none', /^RATE_LIMIT_PER_MINUTE must be a whole number from 0 to 1000000/],
    ['PORT', 'http', /^PORT must be a whole number from 0 to 65535, not "http"/],
    ['HOST', 'myself', /^HOST must be an IP address of this machine, not "myself"/],
    ['PORT', '3000.5', /^PORT must be/],
    ['BASE_URL', 'sonde.example.com', /^BASE_URL must be an http or https URL/],
    ['BASE_URL', 'https://u:p@sonde.example.com', /^BASE_URL must be/],
    ['TRUST_PROXY', 'yes', /^TRUST_PROXY must be/],
    ['OPERATOR_CONTACT', 'me', /^OPERATOR_CONTACT must be an email address or an http URL, not "me"/],
    ['CHECK_TIMEOUT_MS', '60000', /^CHECK_TIMEOUT_MS must be a whole number from 100 to 20000/],
    ['TARGET_ALLOW_CIDRS', '127.0.0.1', /^TARGET_ALLOW_CIDRS has the invalid entry "127.0.0.1"\. Example:/],
    ['TARGET_ALLOW_CIDRS', '10.0.0.0/33', /^TARGET_ALLOW_CIDRS/],
    ['DNS_SERVERS', 'resolver.example', /^DNS_SERVERS has/],
    ['CHECK_CANARY_URL', 'ftp://example.com', /^CHECK_CANARY_URL must be an http or https URL/],
    ['CHECK_USER_AGENT', 'a\u00e9', /^CHECK_USER_AGENT must be printable ASCII/],
    ['SECRET_KEY', 'short', /^SECRET_KEY is too short/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL must be one of/],
  ];

  for (const [variable, value, says] of wrong) {
    it(`explains in one line the error of ${variable}=${value}`, () => {
      expect(() => readConfig({ ...minimal, [variable]: value }))
        .to.throw(ConfigError, says)
        .with.property('message')
        .that.does.not.include('\n');
    });
  }

  it('never prints a password', () => {
    expect(() => readConfig({ DATABASE_URL: 'mysql://root:hunter2@host/x' }))
      .to.throw()
      .not.match(/hunter2/);
  });
});
