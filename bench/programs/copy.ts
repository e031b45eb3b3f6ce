import { closeSync, copyFileSync, fsyncSync, openSync } from 'node:fs'

const [, , from = '', to = ''] = process.argv
copyFileSync(from, to)
const descriptor = openSync(to, 'r+')
fsyncSync(descriptor)
closeSync(descriptor)
