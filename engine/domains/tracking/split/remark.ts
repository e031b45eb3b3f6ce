import { type Finding, pathTo } from '../../../kernel/finding.ts'
import type { Contradiction } from './contradiction.ts'

/** The remark on a contradiction, at the event that shows it. */
export function remarkOn({ providers: [provider, other], at }: Contradiction): Finding {
  return { path: pathTo('events', at), code: 'providers_contradict', params: { provider, other } }
}
