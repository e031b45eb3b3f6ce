#!/usr/bin/env node
import { run } from './run.ts'

const { env, stdin, stdout, stderr } = process
process.exitCode = await run(process.argv.slice(2), { env, stdin, stdout, stderr })
