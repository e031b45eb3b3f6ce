import { createLink, linkHours } from '../../engine/index.ts'
import { type Run, usageError } from './command.ts'
import { either } from './either.ts'

/** `otep link`: prints a signed link to a timeline. */
export const run: Run = async (invocation) => {
  const { positionals, values, stdout } = invocation
  const [number, second] = positionals
  if (number === undefined || second !== undefined) throw usageError('Name one tracking number.')
  const hours = values.for === undefined ? linkHours.default : hoursIn(String(values.for))
  const link = await either(invocation, {
    store: (context) => createLink(context, number, hours),
    server: async (server) => {
      const { result: _, ...made } = await server.call('otep_tracking_link', { tracking_number: number, hours })
      return made as unknown as Awaited<ReturnType<typeof createLink>>
    },
  })
  stdout.write(values.json === true ? `${JSON.stringify(link)}\n` : `${link.url}\n`)
  return 0
}

/** The hours in a text such as 12h or 7d. */
function hoursIn(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([hd])$/.exec(text) ?? []
  const hours = Number(count) * (unit === 'd' ? 24 : 1)
  if (hours <= linkHours.most) return hours
  throw usageError('--for is a time such as 12h or 7d, at most 365d.')
}
