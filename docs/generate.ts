import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referencePages } from './generate/pages.ts'

// Run by `npm run docs`, and so in the root of the project: what is compiled lies elsewhere than what it writes.
const folder = join('docs', 'reference')
const pages = referencePages()

mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name))
for (const [name, text] of pages) writeFileSync(join(folder, name), text)
console.log(`${folder}: ${pages.size} files written`)
