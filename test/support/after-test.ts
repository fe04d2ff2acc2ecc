const tasks: Array<() => unknown> = [];

/** Runs a function after the current test, also when the test fails. The last registered function runs first. */
export function afterTest(task: () => unknown): void {
  tasks.push(task);
}

export async function runAfterTest(): Promise<void> {
  for (const task of tasks.splice(0).toReversed()) await task();
}
