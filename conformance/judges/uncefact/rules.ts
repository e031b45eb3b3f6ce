import { readyJudge } from '../judge.ts'
import { messageRules } from './message-rules.ts'
import { isMessage, read } from './read.ts'
import { vocabularyRules } from './vocabulary-rules.ts'

/** What the official files leave open: the document is complete, in order, about this timeline, and not misleading. */
export const rulesJudge = readyJudge({
  name: 'Rules that no schema states',
  format: 'uncefact',
  takes: () => true,
  judge: (judged) => {
    const document = read(judged)
    if (typeof document === 'string') return [document]
    return isMessage(judged) ? messageRules(document, judged) : vocabularyRules(document, judged)
  },
})
