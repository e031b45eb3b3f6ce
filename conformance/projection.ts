import type { Test } from 'tap'
import type { Projection } from '../engine/index.ts'
import { formRules } from './projection/form.ts'
import { goldenRules } from './projection/golden.ts'
import { linkRules } from './projection/links.ts'
import { purityRules } from './projection/purity.ts'
import { readingRules } from './projection/reading.ts'
import { roundTripRules } from './projection/round-trip.ts'
import type { Rules, Setting } from './projection/rules.ts'
import { totalityRules } from './projection/totality.ts'
import { writingRules } from './projection/writing.ts'

/** Every rule for formats, by its sentence. */
export const projectionRules: Rules = {
  ...formRules,
  ...purityRules,
  ...totalityRules,
  ...writingRules,
  ...linkRules,
  ...roundTripRules,
  ...readingRules,
  ...goldenRules,
}

/** Shows that a format is a `Projection`: the same suite for each of them. */
export async function projectionSuite(t: Test, format: Projection, setting: Setting): Promise<void> {
  await t.test(`the format ${format.name}`, async (t) => {
    for (const [sentence, rule] of Object.entries(projectionRules)) {
      await t.test(sentence, async (t) => {
        t.same(await rule(format, setting), [])
      })
    }
  })
}
