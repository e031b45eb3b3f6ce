import { textsOf } from '../../locales/texts.ts'

/** The texts around what can be done with a thing, and of the forms that do it, in a language. */
export const formTexts = textsOf('page.forms', {
  /** A name before what it names. */
  named: '{name}:',
  title: 'Actions',
  none: 'This account can change nothing here now.',
  next: 'Next step',
  change: 'Change',
  optional: '(optional)',
  preview: 'Preview',
  confirm: 'Confirm',
  again: 'Change the entries',
  previewed: 'This is what would be recorded. Nothing has been done yet.',
  withValues: 'With these values',
  high: 'This cannot simply be undone, so it is shown before it is done.',
  done: 'Done: {action}.',
  rows: 'More rows',
  once: 'Copy this now: it is not shown again.',
  changed: 'It changed while this form was open. What you see is how it is now; send the form again if it still fits.',
  yes: 'Yes',
  no: 'No',
  entries: 'A line each: name: value',
})

/** Yes and no to choose from, in a language. */
export function yesOrNo(language: string): readonly (readonly [value: string, words: string])[] {
  const { yes, no } = formTexts(language)
  return [
    ['true', yes],
    ['false', no],
  ]
}
