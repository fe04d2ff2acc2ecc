import { expect } from 'chai';
import { sql } from 'kysely';
import * as ledger from '../../db/ledger.ts';
import { connectService, homeUrl } from '../../db/service-connection.ts';
import { itOnOneServer } from '../support/postgres.ts';
import { borrowRecords, type Records } from '../support/records.ts';

describe('the connection of a process', () => {
  let coordinator: Records;
  let node: Records;
  let otherNode: Records;
  const heard: Error[] = [];
  const nowhere = 'postgres://sonde@127.0.0.1:1/sonde';

  before(async () => {
    [coordinator, node, otherNode] = await Promise.all([
      borrowRecords(1),
      borrowRecords(1),
      borrowRecords(1),
    ]);
    // What a node of a cluster knows of itself.
    for (const [group, { db }] of [coordinator, node, otherNode].entries())
      await sql`create table pg_dist_local_group as select ${sql.lit(group)} as groupid`.execute(db);
    await coordinator.account(1);
    await node.account(2);
  });

  beforeEach(() => {
    heard.length = 0;
  });

  after(() => Promise.all([coordinator, node, otherNode].map((records) => records.giveBack())));

  const connected = (url: string, directUrl = url, backend = 'citus') =>
    connectService({ url, directUrl, backend }, 2, (error) => heard.push(error));

  itOnOneServer('is one where Postgres is one, whatever it knows', async () => {
    const service = await connected(node.url, nowhere, 'postgres');
    expect(service.home).to.equal(service.db);
    expect(service.node).to.equal(null);
    expect(service.homeUrl).to.equal(node.url);
    expect(homeUrl({ url: node.url, directUrl: nowhere, backend: 'postgres' })).to.equal(node.url);
    await service.close();
  });

  itOnOneServer('is one where the URL is the coordinator’s, by way of a pooler too', async () => {
    for (const directUrl of [coordinator.url, nowhere]) {
      const service = await connected(coordinator.url, directUrl);
      expect(service.home).to.equal(service.db);
      expect(service.node).to.equal('coordinator');
      expect(service.homeUrl).to.equal(coordinator.url);
      await service.close();
    }
  });

  itOnOneServer('asks a data node for what is an account’s, and the coordinator for the rest', async () => {
    const service = await connected(node.url, coordinator.url);
    expect(service.node).to.equal('data node');
    expect(service.homeUrl).to.equal(coordinator.url);
    expect(homeUrl({ url: node.url, directUrl: coordinator.url, backend: 'citus' })).to.equal(
      coordinator.url,
    );
    expect(await ledger.balance(service.db, 1)).to.equal(2);
    expect(await ledger.balance(service.home, 1)).to.equal(1);
    await service.close();
  });

  itOnOneServer('is there when the node is not', async () => {
    const service = await connected(nowhere, coordinator.url);
    expect(service.node).to.equal('data node');
    expect(heard, 'that it was taken for one').to.have.length(1);
    expect(await ledger.balance(service.db, 1)).to.equal(1);
    expect(heard).to.have.length(2);
    await service.close();
  });

  itOnOneServer('says what is missing where no URL is the coordinator’s', async () => {
    for (const other of [node.url, otherNode.url]) {
      const problem = await connected(node.url, other).catch((error: Error) => error);
      expect(problem).to.include({ name: 'OperatorError' });
      expect((problem as Error).message).to.match(
        /^DATABASE_DIRECT_URL has to name the cluster's coordinator/,
      );
    }
  });
});
