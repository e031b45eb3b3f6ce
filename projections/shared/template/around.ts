import type { Template } from './template.ts'

/** Stands for the value while the text around it is made. */
const mark = '\u0000'

/** A value with always the same around it, as `{content: 'x'}` or a list of one have; left out with the value. */
export function around<Given, Made, Whole>(
  whole: (made: NonNullable<Made>) => Whole,
  template: Template<Given, Made>,
): Template<Given, undefined extends Made ? Whole | undefined : Whole> {
  const [start = '', end = ''] = JSON.stringify(whole(mark as NonNullable<Made>)).split(JSON.stringify(mark))
  const { split } = template
  return {
    make: (given) => {
      const made = template.make(given)
      return (made === undefined ? undefined : whole(made as NonNullable<Made>)) as Whole
    },
    writer: (before) => {
      const write = template.writer(before + start)
      return (given) => {
        const text = write(given)
        return text === '' ? '' : text + end
      }
    },
    ...(split && {
      split: (given: Given) => {
        const inner = split(given)
        return inner && { ...inner, before: start + inner.before, after: inner.after + end }
      },
    }),
  }
}
