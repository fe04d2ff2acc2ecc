import { expect } from 'chai';
import type { MonitorChange } from '../../../../schemas/monitor-history.ts';
import { changeView } from '../../../../server/dashboard/monitors/change-view.ts';

describe('a change as pages show it', () => {
  const fieldsOf = (kind: string, before: object, after: object) => {
    const change = { subject: 'https://a.example/', kind, before, after, at: '2026-11-22T06:00:00Z' };
    return changeView(change as MonitorChange).fields.map((field) => Object.values(field).join(' '));
  };

  it('names the status first, and not what only comes and goes with it', () => {
    const before = { title: null, status: 404, noindex: null, canonical: null, is_soft404: null };
    const after = { title: 'Shoes', status: 200, noindex: [], canonical: null, is_soft404: false };
    const more = { initial_status: 404, final_url: 'https://a.example/' };
    const now = { initial_status: 200, final_url: 'https://a.example/shoes' };
    expect(fieldsOf('status_changed', { ...before, ...more }, { ...after, ...now })).to.deep.equal([
      'Status 404 200',
      'Final address https://a.example/ https://a.example/shoes',
    ]);
    expect(
      fieldsOf('unreachable', { title: 'Shoes', status: 200 }, { title: null, status: 0 }),
    ).to.deep.equal(['Status 200 no answer']);
  });

  it('names what came where that is the news, and nothing that reads the same on both sides', () => {
    expect(fieldsOf('title_changed', { title: null }, { title: 'Shoes' })).to.deep.equal([
      'Title none Shoes',
    ]);
    expect(
      fieldsOf('status_changed', { status: 200, title: 'A' }, { status: 203, title: 'B' }),
    ).to.deep.equal(['Status 200 203', 'Title A B']);
    expect(fieldsOf('ranked', { rank: null, ranked_url: null }, { rank: 4 })).to.deep.equal(['Rank none #4']);
  });
});
