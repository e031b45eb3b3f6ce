#!/usr/bin/env node
import { run } from './run.ts'

const { env, stdin, stdout, stderr } = process
// A reader that has seen enough (`| head`) ends the printing, and not an ingest that is under way.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
