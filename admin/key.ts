import type { Command } from 'commander';
import { sealCanary } from '../db/accounts/secret-rotation.ts';
import { createSecretBox } from '../process/secret-box.ts';
import type { RunCommand } from './context.ts';

export function addKeyCommands(program: Command, run: RunCommand): void {
  program
    .command('key')
    .description('SECRET_KEY')
    .command('accept')
    .description('accept the current SECRET_KEY; secrets encrypted with another key are lost')
    .action(() =>
      run(async ({ db, config }) => {
        await sealCanary(db, createSecretBox(config.secretKey), { isReplaced: true });
        return { isAccepted: true };
      }),
    );
}
