import { count } from './texts.ts'

/** The texts around the values of a call and the changes that it would make, in English. */
export const en = {
  changes: {
    title: 'What would change',
    hint: 'These changes would be made now. Names, addresses and notes are shown only in the arguments.',
    none: 'Nothing would change.',
    was: 'was',
    becomes: 'becomes',
    left: (facts: number) => `And ${count(facts, 'more change')}, too many to show here.`,
    leftOf: (values: number) => `And ${count(values, 'more value')}, too many to show here.`,
  },
  input: {
    title: 'Called with',
    name: 'Argument',
    value: 'Value',
    none: 'It is called without arguments.',
    erased: 'The arguments were erased.',
    empty: 'empty',
    nothing: 'nothing',
    cut: (characters: number) => `(${count(characters, 'character')} in the middle left out)`,
    more: (rows: number) => `Show ${count(rows, 'more argument')}`,
    left: (rows: number) => `And ${count(rows, 'more argument')}, too many to show here.`,
  },
}

/** The texts around values and changes in one language. */
export type ValueTexts = typeof en
