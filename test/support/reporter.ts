import Mocha from 'mocha';

/** The spec reporter, with one last line for machines: `N passed, N failed`. */
export default class SpecWithCount extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes = 0, failures = 0 } = this.stats ?? {};
      // This line comes after the epilogue, which lists the failures.
      setImmediate(() => process.stdout.write(`${passes} passed, ${failures} failed\n`));
    });
  }
}
