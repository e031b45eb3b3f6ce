import type { Template } from './template.ts'

/** Placeholder for the value while the wrapping text is made. */
const mark = '\u0000'

/** A value in a fixed wrapping, such as `{content: 'x'}`. Left out if the value is. */
export function wrapped<Input, Output, Whole>(
  whole: (made: NonNullable<Output>) => Whole,
  template: Template<Input, Output>,
): Template<Input, undefined extends Output ? Whole | undefined : Whole> {
  const [start = '', end = ''] = JSON.stringify(whole(mark as NonNullable<Output>)).split(JSON.stringify(mark))
  const { steps, split } = template
  const wrap = (made: Output) => (made === undefined ? undefined : whole(made as NonNullable<Output>)) as Whole
  return {
    make: (input) => wrap(template.make(input)),
    writer: (before) => {
      const write = template.writer(before + start)
      return (input) => {
        const text = write(input)
        return text === '' ? '' : text + end
      }
    },
    ...(steps && {
      *steps(input: Input) {
        return wrap(yield* steps(input))
      },
    }),
    ...(split && {
      split: (input: Input) => {
        const inner = split(input)
        return (
          inner &&
          function* (before: string) {
            return (yield* inner(before + start)) + end
          }
        )
      },
    }),
  }
}
