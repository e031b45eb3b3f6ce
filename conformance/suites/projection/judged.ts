import { documentsOf, formName, optionsName } from './documents.ts'
import { journeys } from './kept.ts'
import { randomTimelines } from './random.ts'
import { eachOf, looked, type Rule, type Rules } from './rules.ts'
import { codesAlone, timelines } from './timelines.ts'

const passesJudge: Rule = async (format, { formats, judge }) => {
  if (judge === undefined) return []
  const shown = [...timelines, ...codesAlone, ...(await journeys(formats)), ...(await randomTimelines(formats, 20, 23))]
  return eachOf(shown, async ({ name, timeline }) =>
    eachOf(await documentsOf(format, timeline), (document) =>
      looked([name, optionsName(document.target), formName(document)].filter((word) => word !== '').join(', '), () =>
        judge(document),
      ),
    ),
  )
}

/** What an independent judge of the format says. */
export const judgeRules: Rules = {
  'given a judge of the format, when it looks at any document, then nothing is wrong': passesJudge,
}
