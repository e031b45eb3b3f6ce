#!/usr/bin/env node
import { run } from './run.ts'

const { env, stdin, stdout, stderr } = process
// A closed output (`| head`) stops printing, but does not interrupt an ingest.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
