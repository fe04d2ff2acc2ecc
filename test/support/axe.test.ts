import { expect } from 'chai';
import { bringAxe, ColourJudge, faultsOf } from './axe.ts';
import { borrowBrowser, openWindow } from './browser.ts';

describe('the accessibility checks', () => {
  it('find faults, and faults of colours once for each look', async function () {
    const { context, page } = await openWindow(await borrowBrowser(this), 'http://localhost');
    await bringAxe(context);
    const show = (body: string) =>
      page.goto(
        `data:text/html,${encodeURIComponent(`<!doctype html><title>t</title><main>${body}</main>`)}`,
      );
    const colours = new ColourJudge();
    const pale = '<p style="color:#ccc">pale</p>';
    await show('<h1>well</h1><p>legible</p>');
    expect(await colours.faultsOf(page)).to.deep.equal([]);
    expect(colours.looks).to.equal(2);
    expect((await faultsOf(page)).join()).to.match(/^html-has-lang/);
    await show(`<p>legible</p>${pale}${pale}`);
    expect((await colours.faultsOf(page)).join()).to.match(/^color-contrast: \[?<p style="color:#ccc"/);
    await show(`<p>legible</p>${pale}`);
    expect(await colours.faultsOf(page)).to.deep.equal([]);
    // The same colour on another background, inherited too. Hidden elements are ignored.
    await show(
      `<div hidden><b style="color:#eee">hidden</b></div><div style="background:#ddd">${pale}</div>`,
    );
    expect(await colours.faultsOf(page)).to.have.length(1);
    await show('<b style="color:#eee">hidden</b>');
    expect(await colours.faultsOf(page)).to.have.length(1);
    // Axe checks covered or decorative text only after it becomes ordinary text.
    const [covered, decoration] = [
      '<p style="color:#ddd">covered</p>',
      '<p style="color:#bbb">for the eye</p>',
    ];
    const cover = '<div style="position:absolute;inset:0;background:#fff"></div>';
    await show(
      `<div style="position:relative">${covered}${cover}</div><div aria-hidden="true">${decoration}</div>`,
    );
    expect(await colours.faultsOf(page)).to.deep.equal([]);
    await show(covered + decoration);
    expect((await colours.faultsOf(page)).join())
      .to.contain('covered')
      .and.contain('for the eye');
  });
});
