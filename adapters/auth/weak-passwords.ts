import type { Weakness } from '../../engine/index.ts'
import { once } from '../node/once.ts'

/** Guesses (as a power of ten) that a password must withstand: more than a list of leaked ones has, with variations. */
const neededGuesses = 8

/** Characters that are judged: the time grows with their square, and so many withstand enough guesses if any do. */
const judgedCharacters = 32

/** Shorter words of a name or an address are no hint. */
const shortestWord = 3

/** Judges passwords without asking anybody: against lists of common ones, and by what others know of the owner. */
export type JudgePassword = (password: string, own: readonly string[]) => Promise<Weakness | undefined>

/** Creates the judge. Its lists are loaded when the first password is judged. */
export function createPasswordJudge(): JudgePassword {
  const judge = once(async () => {
    const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
      import('@zxcvbn-ts/core'),
      import('@zxcvbn-ts/language-common'),
    ])
    return new ZxcvbnFactory({ dictionary, graphs, maxLength: judgedCharacters })
  })
  return async (password, own) => {
    const { guessesLog10, sequence } = (await judge()).check(password.normalize('NFKC'), wordsOf(own))
    if (guessesLog10 >= neededGuesses) return undefined
    return sequence.some(({ dictionaryName }) => dictionaryName === 'userInputs') ? 'own' : 'common'
  }
}

/** The texts and the words in them: `dee@example.com`, `dee`, `example`. */
function wordsOf(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => [text, text.replace(/[^\p{L}\p{N}]+/gu, ''), ...text.split(/[^\p{L}\p{N}]+/u)])
  return [...new Set(words)].filter((word) => word.length >= shortestWord)
}
