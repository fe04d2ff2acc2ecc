#!/usr/bin/env node
import { main } from '../cli/main.js';

// A reader of the output, such as head, may close the pipe early.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2), process);
