import type { Weakness } from '../../engine/index.ts'
import { once } from '../node/once.ts'

/** Guesses (as a power of ten) that a password must withstand: more than a list of leaked ones has, with variations. */
const neededGuesses = 8

/** Characters that are judged: the time grows with their square, and so many withstand enough guesses if any do. */
const judgedCharacters = 32

/** Shorter words of a name or an address are no hint. */
const shortestWord = 3

/** Loads what judges when the first password is judged, once for all engines of this process: its lists take a second. */
const loadJudge = once(async () => {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs, maxLength: judgedCharacters })
})

/** Judges a password without asking anybody: against lists of common ones, and by what others know of the owner. */
export async function weaknessOf(password: string, own: readonly string[]): Promise<Weakness | undefined> {
  const judge = await loadJudge()
  const { guessesLog10, sequence } = judge.check(password.normalize('NFKC'), wordsOf(own))
  if (guessesLog10 >= neededGuesses) return undefined
  return sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs') ? 'own' : 'common'
}

/** The texts and the words in them: `dee@example.com`, `dee`, `example`. */
function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => [text, text.replace(/[^\p{L}\p{N}]+/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length >= shortestWord)
}
