import assert from 'node:assert/strict'
import type { Projection } from '../../engine/index.ts'
import { projections } from '../../projections/index.ts'
import type { Test } from './assertions.ts'
import { formRules } from './projection/form.ts'
import { goldenRules } from './projection/golden.ts'
import { judgeRules } from './projection/judged.ts'
import { linkRules } from './projection/links.ts'
import { purityRules } from './projection/purity.ts'
import { readingRules } from './projection/reading.ts'
import { roundTripRules } from './projection/round-trip.ts'
import type { Rules, Setting } from './projection/rules.ts'
import { totalityRules } from './projection/totality.ts'
import { writingRules } from './projection/writing.ts'

/** Every rule of a format, by its sentence. */
export const projectionRules: Rules = {
  ...formRules,
  ...purityRules,
  ...totalityRules,
  ...writingRules,
  ...linkRules,
  ...roundTripRules,
  ...readingRules,
  ...goldenRules,
  ...judgeRules,
}

/** Tests a format. The built-in formats pass the same tests. */
export function projectionSuite(
  test: Test,
  format: Projection,
  { formats = [...projections, format], ...others }: Partial<Setting> = {},
): void {
  for (const [sentence, rule] of Object.entries(projectionRules)) {
    test(sentence, async () => {
      const faults = await rule(format, { formats, ...others })
      if (faults.length > 0) assert.fail(faults.join('\n'))
    })
  }
}
