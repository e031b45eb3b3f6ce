import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { domains } from '../engine/index.ts'
import { digestsOf, sourcesFile } from './generate/languages.ts'
import { descriptionFiles, filesIn, referencePages, textsWithPassages } from './generate/pages.ts'

// Run by `npm run docs [-- --translated]`, and so in the root of the project: what is compiled lies elsewhere than what it writes.
const folder = join('docs', 'reference')

// Translations are known to fit the English texts as they are now.
if (process.argv.includes('--translated'))
  writeFileSync(sourcesFile, digestsOf(domains.flatMap((domain) => domain.operations)))
const pages = referencePages()

for (const name of filesIn(folder)) if (!pages.has(name)) rmSync(join(folder, name))
for (const [name, text] of pages) {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), text)
}
for (const [path, text] of textsWithPassages()) writeFileSync(path, text)
for (const [name, text] of descriptionFiles()) writeFileSync(join('dist', name), text)
console.log(`${folder}: ${pages.size} files written`)
