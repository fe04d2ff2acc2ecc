#!/usr/bin/env node
import { main } from '../cli/main.js';

// The reader of our output, such as head, has closed it.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});

process.exitCode = await main(process.argv.slice(2), process);
