import { representationsOf, type Timeline } from '../../../engine/index.ts'
import { optionsName, targetsOf, written } from './documents.ts'
import { eachOf, looked, parting, type Rule, type Rules, unless } from './rules.ts'
import { plainTarget, wholeTimeline } from './samples.ts'
import { timelines } from './timelines.ts'
import { frozen, withoutWorld } from './traps.ts'

const sameBytes: Rule = (format) =>
  eachOf(timelines, ({ name, timeline }) =>
    looked(name, () =>
      eachOf(targetsOf(format), (target) => {
        const [one, other] = [timeline, structuredClone(timeline)].map((value) =>
          JSON.stringify(format.project(value, target)),
        ) as [string, string]
        return unless(one === other, `${optionsName(target)} two runs part ${parting(one, other)}`)
      }),
    ),
  )

const sameForms: Rule = (format) =>
  eachOf(representationsOf(format), (form) =>
    looked(form.mediaType, async () => {
      const [{ text: one }, { text: other }] = [
        await written(format, form, wholeTimeline, plainTarget),
        await written(format, form, structuredClone(wholeTimeline), plainTarget),
      ]
      return unless(one === other, `two runs part ${parting(one, other)}`)
    }),
  )

const anyOrder: Rule = (format) => {
  if (!format.external) return []
  return eachOf(timelines, ({ name, timeline }) =>
    looked(name, () => {
      const [one, other] = [timeline, turned(timeline)].map((value) =>
        JSON.stringify(format.project(value, plainTarget)),
      ) as [string, string]
      return unless(one === other, `documents part ${parting(one, other)}`)
    }),
  )
}

const pure: Rule = (format) =>
  eachOf(timelines, ({ name, timeline }) =>
    looked(name, () =>
      eachOf(targetsOf(format), (target) => {
        const [safe, at] = [frozen(timeline), frozen(target)]
        const document = withoutWorld(() => format.project(safe, at))
        const text = JSON.stringify(document)
        withoutWorld(() => {
          format.write(safe, at)
          format.parse?.(JSON.parse(text) as unknown, at)
          format.resource?.(document, 'no-such-part', at)
        })
        return []
      }),
    ),
  )

/** A copy with the members of every object in the opposite order. */
function turned(value: Timeline): Timeline
function turned(value: unknown): unknown
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => turned(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  )
}

/** The same timeline gives the same bytes, without side effects. */
export const purityRules: Rules = {
  'given a timeline and its copy, when they are projected, then the bytes are the same': sameBytes,
  'given a timeline and its copy, when they are written in any form, then the bytes are the same': sameForms,
  'given a timeline with its members in another order, when it is projected, then the bytes are the same': anyOrder,
  'given no clock, chance, network, environment and nothing to change, when it projects and reads, then it can': pure,
}
