import { readFileSync } from 'node:fs'

// Preloaded into a process of Node (`--import`): its clock shows the time in this file, as text in epoch milliseconds.
const file = process.env.OTEP_TEST_CLOCK ?? ''

Date.now = () => Number(readFileSync(file, 'utf8'))
