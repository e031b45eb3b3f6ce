import type { Caller } from '../../kernel/context.ts'
import { type Finding, pathTo } from '../../kernel/finding.ts'
import type { Report } from './records.ts'

/** The provider of an event: providers write only under their own name, operators under the name in the event. */
export function providerOf({ event, path }: Report, caller: Caller): string | Finding {
  const named = event.source?.provider
  if (named === undefined || named === caller.name) return caller.name
  if (caller.kind === 'operator') return named
  return {
    path: pathTo(path, 'source.provider'),
    code: 'source_mismatch',
    params: { expected: caller.name, received: named },
  }
}
