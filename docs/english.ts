import { domains } from '../engine/index.ts'
import { englishTexts } from './generate/languages.ts'

// Run by `npm run english`: prints every English text in the form of a file of a language, for translators.
console.log(JSON.stringify(englishTexts(domains.flatMap((domain) => domain.operations)), undefined, 2))
