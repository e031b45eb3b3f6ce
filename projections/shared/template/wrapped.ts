import type { Template } from './template.ts'

/** Stands for the value while the text around it is made. */
const mark = '\u0000'

/** A value with always the same around it, as `{content: 'x'}` or a list of one have; left out with the value. */
export function wrapped<Input, Output, Whole>(
  whole: (made: NonNullable<Output>) => Whole,
  template: Template<Input, Output>,
): Template<Input, undefined extends Output ? Whole | undefined : Whole> {
  const [start = '', end = ''] = JSON.stringify(whole(mark as NonNullable<Output>)).split(JSON.stringify(mark))
  const { split } = template
  return {
    make: (input) => {
      const made = template.make(input)
      return (made === undefined ? undefined : whole(made as NonNullable<Output>)) as Whole
    },
    writer: (before) => {
      const write = template.writer(before + start)
      return (input) => {
        const text = write(input)
        return text === '' ? '' : text + end
      }
    },
    ...(split && {
      split: (input: Input) => {
        const inner = split(input)
        return inner && { ...inner, before: start + inner.before, after: inner.after + end }
      },
    }),
  }
}
