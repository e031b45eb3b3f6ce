import { textsOf } from '../../locales/texts.ts'

/** The texts around the values of a call and the changes that it would make, in a language. */
export const valueTexts = textsOf('page.values', {
  changes: {
    title: 'What would change',
    hint: 'These changes would be made now. Names, addresses and notes are shown only in the arguments.',
    none: 'Nothing would change.',
    was: 'was',
    becomes: 'becomes',
    left: 'And {facts, plural, one {# more change} other {# more changes}}, too many to show here.',
    leftOf: 'And {values, plural, one {# more value} other {# more values}}, too many to show here.',
  },
  input: {
    title: 'Called with',
    name: 'Argument',
    value: 'Value',
    none: 'It is called without arguments.',
    erased: 'The arguments were erased.',
    empty: 'empty',
    nothing: 'nothing',
    cut: '({characters, plural, one {# character} other {# characters}} in the middle left out)',
    more: 'Show {rows, plural, one {# more argument} other {# more arguments}}',
    left: 'And {rows, plural, one {# more argument} other {# more arguments}}, too many to show here.',
  },
})

/** The texts around values and changes in one language. */
export type ValueTexts = ReturnType<typeof valueTexts>
