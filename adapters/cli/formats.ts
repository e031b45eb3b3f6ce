import { call, otepFormats } from '../../engine/index.ts'
import { type Run, usageError } from './command.ts'
import { table } from './help.ts'
import { contextWithoutStore } from './session.ts'

/** `otep formats`: lists the formats. */
export const run: Run = async (invocation) => {
  if (invocation.positionals.length > 0) throw usageError('This command takes options only.')
  const { data } = await call(otepFormats, await contextWithoutStore(invocation), {})
  const text = invocation.values.json === true ? JSON.stringify(data, null, 2) : listOf(data as readonly Listed[])
  invocation.stdout.write(`${text}\n`)
  return 0
}

interface Listed {
  readonly format: string
  readonly standard: string
  readonly kind: string
  readonly reads: boolean
  readonly options: readonly string[]
}

function listOf(formats: readonly Listed[]): string {
  const rows = formats.map(({ format, standard, kind, reads, options }) => {
    const more = [kind, ...(reads ? ['can be ingested'] : []), ...options.map((option) => `--option ${option}=...`)]
    return [format, `${standard} (${more.join(', ')})`] as const
  })
  return table(rows).join('\n')
}
